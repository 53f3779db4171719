// The process of one variant has no more streams than a plain program of that variant.
#include <boost/test/unit_test.hpp>

#include "common/measure/gpu/runtime/handles.hpp"
#include "common/measure/harness/bench/cuda_bench.hpp"

using namespace trilane;

BOOST_AUTO_TEST_SUITE(streams_of_a_process)

namespace {

/// Returns the number of its lanes, the stream of a pass, and those on which graphs are captured
/// and uploaded.
std::size_t most_streams() {
  std::uint32_t lanes = 0;
  for (const Workload& workload : presets()) lanes = std::max(lanes, workload.used_lanes());
  return lanes + 3;
}

}  // namespace

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
