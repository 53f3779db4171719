// Results of a pipeline's expressions for a chunk, and the limits.
#include "common/model/workload/pipeline/extents.hpp"

#include <boost/test/unit_test.hpp>
#include <functional>

#include "common/base/text/exit_code.hpp"
#include "tests/base/refusal.hpp"
#include "tests/model/workload/made_up_pipeline.hpp"

using namespace trilane;

BOOST_AUTO_TEST_SUITE(extents)

namespace {

Pipeline blur() {
  Pipeline pipeline;
  pipeline.chunks = 4;
  pipeline.items = pipeline.last_items = 1000;
  pipeline.sizes = {{"width", "10"}, {"rows", "n / width"}};
  pipeline.buffers = {made_up_buffer("image", Element::float32, "n"),
                      made_up_buffer("result", Element::uint8, "rows")};
  Argument rows = made_up_argument(ArgumentKind::size, 0), n = rows;
  rows.expression = "rows";
  n.expression = "n", n.element = Element::int32;
  KernelSpec kernel = made_up_kernel("blur", {made_up_argument(ArgumentKind::in, 0), rows, n});
  kernel.grid = {"ceil(n / 256)", "rows"};
  kernel.block = {"256"};
  kernel.shared = "width * 4";
  pipeline.kernels = {kernel};
  pipeline.stages = {made_up_stage(Stage::copy_in, "image", 0),
                     made_up_stage(Stage::transform, "blur", 0),
                     made_up_stage(Stage::copy_out, "result", 1)};
  return pipeline;
}

std::string refused(const std::function<void(Pipeline&)>& change, std::uint64_t items = 1000) {
  Pipeline pipeline = blur();
  change(pipeline);
  return refusal<UsageError>([&] { extents_of(pipeline, items); });
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_expression_is_evaluated_for_the_items) {
  Pipeline pipeline = blur();
  pipeline.fused = pipeline.kernels[0];
  pipeline.fused->block = {"8", "4", "2"};
  const Extents extents = extents_of(pipeline, 515);
  BOOST_TEST(extents.bytes == (std::vector<std::uint64_t>{2060, 51}));
  BOOST_REQUIRE(extents.kernels.size() == 1u);
  const Extents::Launch& launch = extents.kernels[0];
  BOOST_TEST(launch.grid == (std::vector<std::uint64_t>{3, 51, 1}),
             boost::test_tools::per_element());
  BOOST_TEST(launch.block == (std::vector<std::uint64_t>{256, 1, 1}),
             boost::test_tools::per_element());
  BOOST_TEST(launch.shared == 40u);
  BOOST_TEST(launch.sizes == (std::vector<std::uint64_t>{0, 51, 515}));
  BOOST_REQUIRE(extents.fused.has_value());
  BOOST_TEST(extents.fused->block == (std::vector<std::uint64_t>{8, 4, 2}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_exceeds_a_limit_is_named_with_its_place) {
  BOOST_TEST(refused([](Pipeline& p) { p.buffers[1].count = "rows - 1"; }, 10) ==
             "buffers.result.count: the count of a buffer must be from 1 to 1152921504606846976, "
             "not 0: \"rows - 1\" with rows = 1");
  BOOST_TEST(refused([](Pipeline& p) { p.buffers[0].count = "288230376151711745"; }) ==
             "buffers.image.count: the count of a buffer must be from 1 to 288230376151711744, not "
             "288230376151711745");
  BOOST_TEST(refused([](Pipeline& p) { p.buffers[0].count = "268435456G"; }) ==
             "buffers: the buffers of a chunk have more than 2^60 bytes together");
  BOOST_TEST(
      refused([](Pipeline& p) { p.sizes[1].value = "n / (width - 10)"; }) ==
      "sizes.rows: \"n / (width - 10)\" divides by zero with n = 1000, width = 10; divide by "
      "1 or more, for instance max(a, 1)");
  BOOST_TEST(refused([](Pipeline& p) { p.sizes[0].value = "1024M * 1025M"; }) ==
             "sizes.width: a size must be from 0 to 1152921504606846976, not 1154047404513689600: "
             "\"1024M * 1025M\"");
  BOOST_TEST(refused([](Pipeline& p) { p.sizes[0].value = "rows"; }) ==
             "sizes.width: \"rows\" has \"rows\", which is not a size; sizes stand in \"sizes\", "
             "before they are used");
  BOOST_TEST(refused([](Pipeline& p) { p.kernels[0].grid[1] = "n * 66"; }) ==
             "stages[1].grid[1]: the second number of a grid must be from 1 to 65535, not 66000: "
             "\"n * 66\" with n = 1000");
  BOOST_TEST(refused([](Pipeline& p) { p.kernels[0].grid[0] = "2147483648"; }) ==
             "stages[1].grid[0]: the first number of a grid must be from 1 to 2147483647, not "
             "2147483648");
  BOOST_TEST(refused([](Pipeline& p) {
               p.kernels[0].block = {"1", "1", "65"};
             }) == "stages[1].block[2]: the third number of a block must be from 1 to 64, not 65");
  BOOST_TEST(refused([](Pipeline& p) {
               p.kernels[0].block = {"64", "17"};
             }) ==
             "stages[1].block: a block has at most 1024 threads, not 64 x 17 x 1 = 1088; use "
             "smaller blocks and a larger grid");
  BOOST_TEST(contains(refused([](Pipeline& p) {
                        p.kernels[0].block = {"32", "32", "2"};
                      }),
                      "not 32 x 32 x 2 = 2048"));
  BOOST_TEST(refused([](Pipeline& p) { p.kernels[0].shared = "n * 263"; }) ==
             "stages[1].shared: bytes of shared memory must be from 0 to 262144, not 263000: "
             "\"n * 263\" with n = 1000");
  BOOST_TEST(
      refused([](Pipeline& p) { p.kernels[0].arguments[1].element = Element::uint8; }, 2560) ==
      "stages[1].arguments[1].size: an argument of type uint8 must be from 0 to 255, not "
      "256: \"rows\" with rows = 256");
  BOOST_TEST(refused([](Pipeline& p) {
               p.file = "blur.json";
               p.fused = p.kernels[0];
               p.fused->grid = {"0"};
             }) ==
             "blur.json: fused.grid[0]: the first number of a grid must be from 1 to "
             "2147483647, not 0");
}

BOOST_AUTO_TEST_CASE(what_just_fits_is_accepted) {
  Pipeline pipeline = blur();
  pipeline.kernels[0].grid = {"2147483647", "65535", "65535"};
  pipeline.kernels[0].block = {"16", "1", "64"};
  pipeline.kernels[0].shared = "256K";
  pipeline.buffers.pop_back();
  pipeline.buffers[0].count = "268435456G";
  BOOST_TEST(extents_of(pipeline, 1000).bytes[0] == std::uint64_t{1} << 60);
}

BOOST_AUTO_TEST_SUITE_END()
