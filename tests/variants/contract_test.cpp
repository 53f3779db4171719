// Requirements on every variant, on every awkward shape: one body for all that are registered. None
// has more streams than a plain program.
#include "common/device/flavour/flavour.hpp"
#include "common/measure/harness/cuda_bench.hpp"
#include "tests/variants/can_run.hpp"
#include "tests/variants/held_back.hpp"
#include "tests/variants/shapes.hpp"

BOOST_AUTO_TEST_SUITE(contract)

constexpr int passes = 3;

template <typename Body>
void for_all(Body body) {
  BOOST_TEST_REQUIRE(registry().size() >= 19u);
  for (const VariantEntry& entry : registry()) {
    for (const Workload& workload : awkward_shapes()) {
      BOOST_TEST_CONTEXT(entry.name << ", " << workload.name) {
        if (can_run(entry, workload)) body(entry, workload);
      }
    }
  }
}

/// Returns the number of its lanes, the stream of a pass, and those on which graphs are captured
/// and uploaded.
std::size_t most_streams() {
  std::uint32_t lanes = 0;
  for (const Workload& workload : presets()) lanes = std::max(lanes, workload.used_lanes());
  return lanes + 3;
}

BOOST_AUTO_TEST_CASE(fresh_input_gives_the_right_output_pass_after_pass) {
  for_all([](const VariantEntry& entry, const Workload& workload) {
    CudaBench bench(workload, {entry}, 1);
    bench.set_up(0);
    for (int pass = 0; pass < passes; ++pass) {
      bench.new_input();
      BOOST_TEST(bench.check(0, 1) == "");
    }
    bench.new_input();
    BOOST_TEST(bench.check(0, 3) == "");  // several passes in flight
    bench.tear_down(0);
  });
}

BOOST_AUTO_TEST_CASE(every_kind_of_host_memory_gives_the_right_output) {
  using enum HostMemory;
  for (const VariantEntry& entry : registry()) {
    for (const HostMemory kind : {pinned, pageable, write_combined, registered}) {
      Workload workload = shape("host memory", 7 * 1000 + 4, 1000, 200, 2, 2);
      workload.host_memory = kind;
      const Plan plan = entry.plan(workload);
      if (plan.maps_host && kind == pageable) continue;
      // The simulated device refuses it, because nobody measured its cost.
      const bool unknown = profile_in_use() != nullptr && kind == pageable &&
                           plan.model.mover == Mover::engines_batched;
      if (unknown) continue;
      BOOST_TEST_CONTEXT(entry.name << ", " << name_of(kind)) {
        CudaBench bench(workload, {entry}, 4);
        bench.set_up(0);
        for (int pass = 0; pass < passes; ++pass) {
          bench.new_input();
          BOOST_TEST(bench.check(0, 1) == "");
        }
        bench.tear_down(0);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(evidence_agrees_with_the_plan) {
  for_all([](const VariantEntry& entry, const Workload& workload) {
    CudaBench bench(workload, {entry}, 2);
    bench.set_up(0);
    BOOST_TEST(bench.check(0, 1) == "");
    const auto missed = mismatches(entry.plan(workload).facts, bench.evidence(0));
    BOOST_TEST(missed.empty(), (missed.empty() ? "" : missed.front()));
    bench.tear_down(0);
  });
}

BOOST_AUTO_TEST_CASE(submit_returns_while_the_origin_is_held_back) {
  for_all([](const VariantEntry& entry, const Workload& workload) {
    if (entry.plan(workload).blocks) return;
    const HeldBack seen = submit_behind_gate(entry, workload, long_s, 10);
    BOOST_TEST(seen.returned_before_opening);
    BOOST_TEST(seen.untouched_before_opening);
    BOOST_TEST(seen.right_after);
  });
}

BOOST_AUTO_TEST_CASE(a_variant_that_says_it_blocks_does) {
  for (const VariantEntry& entry : registry()) {
    const Workload workload = shape("small", 4096, 1024, 1024, 2);
    if (!entry.plan(workload).blocks) continue;
    BOOST_TEST_CONTEXT(entry.name) {
      const HeldBack seen = submit_behind_gate(entry, workload, short_s, 0);
      BOOST_TEST(!seen.returned_before_opening);
      BOOST_TEST(seen.right_after);
    }
  }
}

BOOST_AUTO_TEST_CASE(variants_side_by_side_do_not_disturb_each_other) {
  const Workload workload = shape("shared buffers", 9 * 1000 + 1, 1000, 1000, 3, 2);
  CudaBench bench(workload, registry(), 3);
  for (std::size_t v = 0; v < registry().size(); ++v) bench.set_up(v);
  for (int pass = 0; pass < passes; ++pass) {
    bench.new_input();
    for (std::size_t v = 0; v < registry().size(); ++v) {
      BOOST_TEST_CONTEXT(registry()[v].name) { BOOST_TEST(bench.check(v, 1) == ""); }
    }
  }
  for (std::size_t v = 0; v < registry().size(); ++v) bench.tear_down(v);
}

BOOST_AUTO_TEST_CASE(a_variant_makes_no_more_than_it_uses_at_once_on_all_presets) {
  for (const VariantEntry& entry : registry()) {
    const KeptStreams streams;
    warm_variants({entry}, true);
    for (Workload workload : presets()) {
      workload.bytes = workload.chunk_bytes = 4096;  // one chunk, but all of its lanes
      workload.bytes *= workload.lanes;
      if (workload.result_bytes > workload.chunk_bytes) workload.result_bytes = 4096;
      CudaBench bench(workload, {entry}, 1);
      bench.set_up(0);
      bench.pass(0);
      bench.tear_down(0);
    }
    BOOST_TEST_CONTEXT(entry.name) { BOOST_TEST(streams.made() <= most_streams()); }
  }
}

BOOST_AUTO_TEST_CASE(released_streams_are_used_again) {
  const KeptStreams streams;
  cudaStream_t first = nullptr;
  {
    const Stream stream = make_stream();
    first = stream.get();
  }
  const Stream again = make_stream(), other = make_stream();
  BOOST_TEST(again.get() == first);
  BOOST_TEST(other.get() != first);
  BOOST_TEST(streams.made() == 2u);
}

BOOST_AUTO_TEST_SUITE_END()
