// Knobs on the workload of a pipeline file.
#include <boost/test/unit_test.hpp>
#include <type_traits>

#include "common/base/text/exit_code.hpp"
#include "common/model/workload/knobs.hpp"
#include "tests/model/workload/made_up_pipeline.hpp"

using namespace trilane;

BOOST_AUTO_TEST_SUITE(pipeline_knobs)

namespace {

/// Applies a knob. A chunk of 10 items has 30 bytes of input: 10 and 20.
template <typename Value>
Workload with(std::optional<Value> Knobs::*knob, std::type_identity_t<Value> value) {
  Knobs knobs;
  knobs.*knob = value;
  return turned(made_up_workload(), knobs);
}

}  // namespace

BOOST_AUTO_TEST_CASE(without_knobs_nothing_changes) {
  BOOST_TEST((turned(made_up_workload(), {}) == made_up_workload()));
}

BOOST_AUTO_TEST_CASE(a_chunk_has_the_items_whose_input_fits) {
  const Workload workload = with(&Knobs::chunk_size, 60);
  BOOST_TEST(workload.pipeline->items == 20u);
  BOOST_TEST(workload.pipeline->chunks == 3u);
  BOOST_TEST(workload.pipeline->last_items == 20u);
  BOOST_TEST(workload.chunk_bytes == 60u);
  BOOST_TEST(with(&Knobs::chunk_size, 64).pipeline->items == 21u);  // 21 and 40 bytes
}

BOOST_AUTO_TEST_CASE(a_size_changes_the_number_of_chunks) {
  const Workload workload = with(&Knobs::size, 100);
  BOOST_TEST(workload.pipeline->chunks == 4u);
  BOOST_TEST(workload.pipeline->items == 10u);
  BOOST_TEST(workload.pipeline->last_items == 3u);  // 3 and 4 bytes
  BOOST_TEST(with(&Knobs::chunks, 8).pipeline->chunks == 8u);
}

BOOST_AUTO_TEST_CASE(lanes_and_order_are_knobs_and_kernels_are_not) {
  BOOST_TEST(with(&Knobs::lanes, 5).lanes == 5u);
  BOOST_TEST((with(&Knobs::order, Order::breadth_first).order == Order::breadth_first));
  BOOST_CHECK_THROW(with(&Knobs::depth, 2), UsageError);
  BOOST_CHECK_THROW(with(&Knobs::rounds, 2), UsageError);
  BOOST_CHECK_THROW(with(&Knobs::result_size, 4), UsageError);
  BOOST_CHECK_THROW(with(&Knobs::chunk_size, 4), UsageError);  // b has no element for one item
}

BOOST_AUTO_TEST_CASE(a_flaw_of_a_stored_pipeline_is_found) {
  BOOST_TEST(flaw_of(made_up_workload()) == "");
  const auto flaw = [](auto change) {
    Workload workload = made_up_workload();
    change(*workload.pipeline);
    return flaw_of(workload);
  };
  BOOST_TEST(flaw([](Pipeline& p) { p.stages[3].kernel = 7; }) != "");
  BOOST_TEST(flaw([](Pipeline& p) { p.stages[0].buffer = 9; }) != "");
  BOOST_TEST(flaw([](Pipeline& p) { p.kernels[0].arguments[0].buffer = 4; }) != "");
  BOOST_TEST(flaw([](Pipeline& p) { p.buffers[0].count = "n / 0"; }) != "");
  BOOST_TEST(flaw([](Pipeline& p) { p.last_items = 11; }) != "");
  BOOST_TEST(flaw([](Pipeline& p) { p.chunks = 0; }) != "");
  BOOST_TEST(flaw([](Pipeline& p) { p.items = 11; }) != "");  // other sizes than the workload's
  BOOST_TEST(flaw([](Pipeline& p) { p.stages[4].after = {4}; }) != "");
  BOOST_TEST(flaw([](Pipeline& p) { p.kernels.pop_back(); }) != "");
}

BOOST_AUTO_TEST_SUITE_END()
