// Diagnoses of recordings of planted applications, made on an H200 and kept as test data.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "common/application/diagnosis/make_diagnosis.hpp"
#include "common/application/iteration/order/call_segments.hpp"
#include "common/application/iteration/recording_file.hpp"
#include "common/base/json/input_file.hpp"

using namespace trilane;

BOOST_AUTO_TEST_SUITE(recordings)

namespace {

struct Row {
  std::string name;
  std::size_t calls, nodes, edges;  ///< of the iteration, and of its one graph
  TimeUse idle;                     ///< what the GPU waits for longest
  std::vector<FindingKind> finds;   ///< at least
  std::size_t varying;              ///< calls with arguments or pointers that are not constant
};

const std::vector<Row> rows{
    {"steady", 9, 4, 3, TimeUse::launch_latency, {}, 0},
    {"double_buffers",
     4,
     3,
     2,
     TimeUse::stream_order,
     {FindingKind::copy_needs_buffer, FindingKind::synchronization},
     2},
    {"pageable", 4, 3, 2, TimeUse::blocking_copy, {FindingKind::pageable_copy}, 0},
    {"allocates",
     8,
     3,
     2,
     TimeUse::allocating,
     {FindingKind::allocation, FindingKind::implicit_wait},
     0},
    {"legacy_stream", 5, 4, 3, TimeUse::launch_latency, {FindingKind::synchronization}, 0},
    {"float_atomics", 5, 4, 3, TimeUse::stream_order, {FindingKind::synchronization}, 0},
    {"accumulates", 4, 3, 2, TimeUse::stream_order, {FindingKind::synchronization}, 0},
};

ApplicationRecording recording_of(const std::string& name) {
  return recording_from_json(
      content_of_input(SOURCE_DIR "/tests/application/recordings/" + name + ".json"));
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_kept_recording_has_a_row) {
  std::size_t files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(SOURCE_DIR "/tests/application/recordings")) {
    ++files;
    BOOST_TEST(std::ranges::count(rows, entry.path().stem().string(), &Row::name) == 1,
               entry.path());
  }
  BOOST_TEST(files == rows.size());
}

BOOST_AUTO_TEST_CASE(each_is_diagnosed_as_its_source_says) {
  for (const Row& row : rows) {
    BOOST_TEST_CONTEXT(row.name) {
      const ApplicationRecording recording = recording_of(row.name);
      const Diagnosis diagnosis = diagnosis_of(recording);
      BOOST_TEST(recording.calls.size() == row.calls);
      BOOST_TEST_REQUIRE(diagnosis.device.has_value());
      BOOST_TEST_REQUIRE(!diagnosis.device->causes.empty());
      BOOST_TEST(name_of(diagnosis.device->causes.front().use) == name_of(row.idle));
      for (const FindingKind kind : row.finds) {
        BOOST_TEST(std::ranges::count(diagnosis.findings, kind, &CallFinding::kind) > 0,
                   name_of(kind));
      }
      BOOST_TEST(diagnosis.races.empty());
      BOOST_TEST(static_cast<std::size_t>(std::ranges::count_if(recording.calls, varies)) ==
                 row.varying);
    }
  }
}

/// Their waits follow at most asynchronous copies and frees, and the data need the legacy order.
BOOST_AUTO_TEST_CASE(each_needs_its_waits_and_its_order) {
  for (const Row& row : rows) {
    ApplicationRecording recording = recording_of(row.name);
    recording.contexts = 1;  // as its source says
    for (const CallFinding& finding : diagnosis_of(recording).findings) {
      const bool would_harm = finding.kind == FindingKind::useless_synchronize ||
                              finding.kind == FindingKind::useless_stream_wait ||
                              finding.kind == FindingKind::legacy_wait;
      BOOST_TEST(!would_harm, row.name << ": " << name_of(finding.kind));
    }
  }
}

BOOST_AUTO_TEST_CASE(each_becomes_the_graph_that_was_replayed) {
  for (const Row& row : rows) {
    BOOST_TEST_CONTEXT(row.name) {
      const std::vector<CallSegment> segments = segments_of(recording_of(row.name));
      std::size_t graphs = 0, nodes = 0, edges = 0;
      for (const CallSegment& segment : segments) {
        graphs += segment.nodes.empty() ? 0 : 1;
        nodes += segment.nodes.size();
        for (const SegmentNode& node : segment.nodes) edges += node.after.size();
      }
      BOOST_TEST(nodes == row.nodes);
      BOOST_TEST(edges == row.edges);
      BOOST_TEST(graphs == 1u);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
