#include "common/model/workload/steps/stage_order.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/model/workload/made_up_pipeline.hpp"

using namespace trilane;

BOOST_AUTO_TEST_SUITE(early)

namespace {

using Places = std::vector<bool>;

Workload of_depth(std::uint32_t depth) {
  Workload workload = presets().front();
  workload.depth = depth;
  return workload;
}

/// Uses the fake pipeline, whose fourth and fifth stage are kernels.
Places with_early(bool first, bool second) {
  Pipeline pipeline = made_up_pipeline();
  pipeline.kernels[0].early = first;
  pipeline.kernels[1].early = second;
  return early_places(workload_of("made up", pipeline));
}

}  // namespace

BOOST_AUTO_TEST_CASE(all_kernels_but_a_chunks_first_are_early) {
  BOOST_TEST((early_places(of_depth(1)) == Places{0, 0, 0, 0}));
  BOOST_TEST((early_places(of_depth(3)) == Places{0, 0, 0, 1, 1, 0}));
}

BOOST_AUTO_TEST_CASE(kernels_of_a_file_are_early_if_it_says_so_and_a_kernel_is_in_front) {
  BOOST_TEST((with_early(false, false) == Places{0, 0, 0, 0, 0, 0}));
  BOOST_TEST((with_early(true, false) == Places{0, 0, 0, 0, 0, 0}));
  BOOST_TEST((with_early(false, true) == Places{0, 0, 0, 0, 1, 0}));
  BOOST_TEST((with_early(true, true) == Places{0, 0, 0, 0, 1, 0}));
}

BOOST_AUTO_TEST_SUITE_END()
