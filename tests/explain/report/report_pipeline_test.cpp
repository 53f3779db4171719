// The output of trilane pipeline check for a pipeline.
#include <boost/test/unit_test.hpp>

#include "common/explain/report/report.hpp"
#include "tests/base/refusal.hpp"
#include "tests/model/workload/made_up_pipeline.hpp"

using namespace trilane;

BOOST_AUTO_TEST_SUITE(report_pipeline)

namespace {

std::string text_of(const Workload& workload) { return as_text(pipeline_page(workload)); }

}  // namespace

BOOST_AUTO_TEST_CASE(buffers_have_their_role_their_size_and_their_check) {
  const std::string text = text_of(made_up_workload());
  BOOST_TEST_CONTEXT(text) {
    BOOST_TEST(contains(text, "3 chunks of 10 items, the last of 4."));
    BOOST_TEST(contains(text, "10 x uint8"));
    BOOST_TEST(contains(text, "scratch"));
    BOOST_TEST(contains(text, "11 x uint32"));
    BOOST_TEST(contains(text, "serial, every byte"));
  }
}

BOOST_AUTO_TEST_CASE(stages_have_their_order_their_grid_and_their_arguments) {
  const std::string text = text_of(made_up_workload());
  BOOST_TEST_CONTEXT(text) {
    BOOST_TEST(contains(text, "copy in a, copy in b"));
    BOOST_TEST(contains(text, "in a, in b, out mid"));
    BOOST_TEST(contains(text, "memset out, mix"));
  }
}

BOOST_AUTO_TEST_CASE(what_is_not_checked_and_what_fills_a_buffer_is_said) {
  Pipeline pipeline = made_up_pipeline();
  pipeline.buffers[3].check = Check::none;
  pipeline.buffers[0].fill = Fill::file;
  pipeline.buffers[0].fill_file = "in.raw";
  pipeline.fused = made_up_kernel("all", {made_up_argument(ArgumentKind::in, 0)});
  const std::string text = text_of(workload_of("other", std::move(pipeline)));
  BOOST_TEST_CONTEXT(text) {
    BOOST_TEST(contains(text, "not checked"));
    BOOST_TEST(contains(text, "in.raw"));
    BOOST_TEST(contains(text, "Fused: all does a whole chunk on mapped host memory (in a)."));
  }
}

BOOST_AUTO_TEST_SUITE_END()
