// Trilane's own variants as the recorder's core hears them: the operations, bytes and order of
// their plans.
#include "common/application/iteration/recording_file.hpp"
#include "common/model/variant/variant.hpp"
#include "tests/device/simulator/recording/call_listener.hpp"

BOOST_AUTO_TEST_SUITE(recorded_variants)

namespace {

const std::set<std::string> heard{
    "cudaMemcpyAsync",         "cudaMemsetAsync",       "cudaLaunchKernel", "cudaEventRecord",
    "cudaStreamWaitEvent",     "cudaStreamSynchronize", "cudaGraphLaunch",  "cudaMalloc",
    "cudaMallocFromPoolAsync", "cudaFreeAsync",         "cudaFree"};

struct Heard {
  ApplicationRecording recording;
  std::vector<std::string> calls;  ///< of the last pass that the listener hears
  Plan plan;
  Layout layout;
};

Heard record(const std::string& name, const Workload& workload, const RecorderSettings& settings) {
  auto [recording, calls] = recorded_passes(name, workload, settings);
  std::erase_if(calls, [](const std::string& call) { return !heard.contains(call); });
  return {recording, calls, find_variant(name).plan(workload), layout_of(workload)};
}

std::vector<std::string> names_in(const ApplicationRecording& recording) {
  std::vector<std::string> names;
  for (const RecordedCall& call : recording.calls) names.push_back(call.runtime);
  return names;
}

/// Returns the bytes that copies use in this way in memory of this kind.
std::uint64_t copied(const ApplicationRecording& recording, Use use, MemoryKind kind) {
  std::uint64_t bytes = 0;
  for (const RecordedCall& call : recording.calls) {
    for (const UsedRange& range : call.uses) {
      const bool counts = range.use == use && recording.memory[range.memory].kind == kind;
      if (call.kind == CallKind::copy && counts) bytes += range.bytes;
    }
  }
  return bytes;
}

void test_plan(const Heard& got) {
  std::map<std::string, std::uint64_t> counts;
  for (const RecordedCall& call : got.recording.calls) ++counts[call.runtime];
  --counts["cudaStreamSynchronize"];  // the one after the pass
  for (const Count& count : got.plan.calls) {
    BOOST_TEST(counts[count.name] == count.value, count.name << " is " << counts[count.name]);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_recorded_pass_is_that_of_the_plan) {
  for (const Workload& workload : presets()) {
    for (const char* name : {"serial", "streams", "engines", "graph", "graph_built", "pool",
                             "malloc", "graph_pool", "streams_kernels", "graph_kernels"}) {
      BOOST_TEST_CONTEXT(workload.name << " " << name) {
        const Heard got = record(name, workload, {.range = "pass"});
        const ApplicationRecording& recording = got.recording;
        BOOST_TEST((recording.found == Found::range));
        BOOST_TEST(recording.recorded == 5u);
        BOOST_TEST(recording.iterations == static_cast<std::uint64_t>(RecordedPasses::count));
        BOOST_TEST(names_in(recording) == got.calls, boost::test_tools::per_element());
        test_plan(got);
        if (calls_of(got.plan, "cudaMemcpyAsync") > 0) {
          BOOST_TEST(copied(recording, Use::reads, MemoryKind::pinned) == got.layout.in_bytes);
          BOOST_TEST(copied(recording, Use::writes, MemoryKind::pinned) == got.layout.out_bytes);
        }
        const std::string text = recording_to_json(recording);
        BOOST_TEST((recording_to_json(recording_from_json(text)) == text));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_pass_is_found_as_what_repeats) {
  for (const char* name : {"streams", "engines", "graph", "pool"}) {
    BOOST_TEST_CONTEXT(name) {
      const Heard got = record(name, presets().front(), {});
      BOOST_TEST((got.recording.found == Found::repeats));
      BOOST_TEST(names_in(got.recording) == got.calls, boost::test_tools::per_element());
    }
  }
}

BOOST_AUTO_TEST_CASE(memory_of_a_pool_comes_and_goes_in_a_pass) {
  const Heard got = record("pool", presets().front(), {});
  std::uint64_t within = 0;
  for (const RecordedMemory& memory : got.recording.memory) within += memory.within ? 1 : 0;
  BOOST_TEST(within == calls_of(got.plan, "cudaMallocFromPoolAsync"));
}

BOOST_AUTO_TEST_SUITE_END()
