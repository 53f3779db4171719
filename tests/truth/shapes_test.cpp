// The plain programs do the work of Trilane's presets, in grids of the same size.
#include "tests/truth/presets.hpp"

#include "common/model/workload/workload.hpp"
#include "kernels/fused.hpp"
#include "kernels/move.hpp"
#include "kernels/transform.hpp"
#include "tests/framework.hpp"

namespace trilane {

BOOST_AUTO_TEST_SUITE(truth_shapes)

namespace {

unsigned threads_of(const dim3& sides) { return sides.x * sides.y * sides.z; }

}  // namespace

BOOST_AUTO_TEST_CASE(the_presets_are_those_of_trilane) {
  BOOST_REQUIRE_EQUAL(std::size(plain::presets), presets().size());
  for (std::size_t i = 0; i < presets().size(); ++i) {
    const plain::Preset& plain = plain::presets[i];
    Workload same{.name = plain.name,
                  .bytes = plain.all_in(),
                  .chunk_bytes = plain.in_bytes,
                  .result_bytes = plain.out_bytes,
                  .lanes = plain.lanes,
                  .depth = plain.depth,
                  .rounds = plain.rounds};
    BOOST_TEST((same == presets()[i]), plain.name);
    BOOST_TEST(plain.lanes == same.used_lanes(), plain.name);
    BOOST_TEST(plain.all_out() == same.result_total(), plain.name);
  }
}

BOOST_AUTO_TEST_CASE(a_shape_may_be_written_out) {
  const plain::Preset p = plain::preset_of("16,4096,1024,4,2,400").value();
  BOOST_TEST((p.chunks == 16 && p.in_bytes == 4096 && p.out_bytes == 1024 && p.lanes == 4));
  BOOST_TEST((p.depth == 2 && p.rounds == 400));
  BOOST_TEST(plain::preset_of("search")->chunks == 2u);
  for (const char* wrong :
       {"", "lunch", "16,4096,1024,4,2", "16,4096,1024,4,2,400,1", "16;4,4,1,1,1",
        "16,4096,1024,4,2,0", "16,4096,1023,4,2,1", "16,4,8,4,2,1", "2,4096,1024,4,2,1",
        "16,4096,1024,4,2,x", "-1,4,4,1,1,1"}) {
    BOOST_TEST(!plain::preset_of(wrong), wrong);
  }
}

BOOST_AUTO_TEST_CASE(the_grids_are_those_of_trilane) {
  for (const plain::Preset& p : plain::presets) {
    BOOST_TEST_CONTEXT(p.name) {
      const KernelLaunch kernel =
          transform_launch(nullptr, nullptr, p.in_words(), p.out_words(), 0, p.rounds);
      const bool each = p.in_bytes == p.out_bytes;
      const unsigned blocks = each ? plain::each_blocks(p.in_words())
                                   : plain::ceil_div(plain::reduce_threads(p), plain::block);
      BOOST_TEST(threads_of(kernel.grid) == blocks);
      BOOST_TEST(threads_of(kernel.block) == plain::block);
      for (const std::uint64_t bytes : {p.in_bytes, p.out_bytes}) {
        BOOST_TEST(threads_of(copy_launch(nullptr, nullptr, bytes).grid) ==
                   plain::move_blocks(bytes));
        BOOST_TEST(threads_of(clear_launch(nullptr, bytes).block) == plain::block);
      }
      const KernelLaunch fused = fused_launch(
          nullptr, nullptr, {p.all_in() / 4, p.in_words(), p.out_words(), p.depth, p.rounds});
      if (each) {
        BOOST_TEST(fused.grid.x == plain::each_blocks(p.all_in() / 4));
        BOOST_TEST(fused.block.x == plain::block);
      } else {
        BOOST_TEST(fused.grid.x == plain::ceil_div(p.out_words(), plain::fused_outputs(p)));
        BOOST_TEST(fused.grid.y == p.chunks);
        BOOST_TEST(fused.block.x == plain::fused_outputs(p));
        BOOST_TEST(fused.block.y == plain::fused_groups(p));
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace trilane
