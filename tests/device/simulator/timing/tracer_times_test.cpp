// Times in the trace of one pass.
#include "common/device/flavour/flavour.hpp"
#include "tests/device/simulator/timing/traced_passes.hpp"

namespace trilane::simulator {

BOOST_AUTO_TEST_SUITE(tracer_times)

namespace {

using Key = std::optional<std::uint64_t>;

/// Returns true if no two operations with the same key overlap; those without one may.
bool take_turns(std::vector<TracedOperation> operations,
                const std::function<Key(const TracedOperation&)>& key_of) {
  std::ranges::sort(operations, {}, &TracedOperation::start_us);
  std::map<std::uint64_t, double> ends;
  for (const TracedOperation& operation : operations) {
    const Key key = key_of(operation);
    if (!key) continue;
    double& end = ends.try_emplace(*key, operation.start_us).first->second;
    if (operation.start_us < end) return false;
    end = operation.end_us;
  }
  return true;
}

}  // namespace

BOOST_AUTO_TEST_CASE(nothing_overlaps_on_a_copy_engine_or_in_a_stream) {
  for_all_passes([](const TracedPass& pass) {
    BOOST_TEST(take_turns(pass.records.operations, [](const TracedOperation& one) -> Key {
      if (!one.copy_engine) return std::nullopt;
      return static_cast<std::uint64_t>(one.activity);
    }));
    BOOST_TEST(take_turns(pass.records.operations, [](const TracedOperation& one) -> Key {
      if (one.graph_node != 0) return std::nullopt;
      return one.stream;
    }));
  });
}

BOOST_AUTO_TEST_CASE(operations_run_between_their_call_and_the_end_of_the_wait) {
  for_all_passes([](const TracedPass& pass) {
    std::map<std::uint64_t, double> calls;
    double waited_us = 0;
    for (const TracedCall& call : pass.records.calls) {
      BOOST_TEST(call.start_us <= call.end_us);
      BOOST_TEST(calls.emplace(call.id, call.start_us).second, "a call's number comes twice");
      if (call.name == "cudaStreamSynchronize") waited_us = call.end_us;
    }
    for (const TracedOperation& operation : pass.records.operations) {
      BOOST_TEST(calls.contains(operation.call));
      BOOST_TEST(calls[operation.call] <= operation.start_us);
      BOOST_TEST(operation.start_us < operation.end_us);
      BOOST_TEST(operation.end_us <= waited_us);
    }
  });
}

BOOST_AUTO_TEST_CASE(a_trace_changes_no_time) {
  for_all([](const VariantEntry& entry, const Workload& workload) {
    const auto times = [&](bool traced) {
      TracedVariant variant(entry, workload, traced);
      std::vector<double> all{now_us()};
      for (int pass = 0; pass < 3; ++pass) {
        all.push_back(variant.pass_ms());
        if (traced) variant.tracer->take();
        all.push_back(now_us());
      }
      return all;
    };
    BOOST_TEST(times(true) == times(false), boost::test_tools::per_element());
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace trilane::simulator
