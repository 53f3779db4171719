// Results of a pipeline's expressions for a chunk, their limits, and which stages wait for others.
#include "common/model/workload/pipeline/pipeline.hpp"

#include "common/base/text/exit_code.hpp"
#include "common/model/workload/pipeline/conflicts.hpp"
#include "tests/base/refusal.hpp"
#include "tests/model/workload/made_up_pipeline.hpp"

BOOST_AUTO_TEST_SUITE(extents)

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

BOOST_AUTO_TEST_SUITE(conflicts)

StageSpec stage_on(Stage kind, std::uint32_t buffer) { return made_up_stage(kind, "", buffer); }

void add_kernel(Pipeline& pipeline,
                const std::vector<std::pair<ArgumentKind, std::uint32_t>>& uses) {
  const auto kernel = static_cast<std::uint32_t>(pipeline.kernels.size());
  pipeline.stages.push_back(made_up_stage(Stage::transform, "", 0, kernel));
  std::vector<Argument>& arguments = pipeline.kernels.emplace_back().arguments;
  for (const auto& [kind, buffer] : uses) arguments.push_back(made_up_argument(kind, buffer));
}

/// Returns two inputs, a scratch buffer and a result.
Pipeline diamond() {
  Pipeline pipeline;
  pipeline.buffers.resize(4);
  pipeline.stages = {stage_on(Stage::copy_in, 0), stage_on(Stage::copy_in, 1),
                     stage_on(Stage::clear, 3)};
  add_kernel(pipeline, {{ArgumentKind::in, 0}, {ArgumentKind::out, 2}, {ArgumentKind::size, 3}});
  add_kernel(pipeline, {{ArgumentKind::in, 0}, {ArgumentKind::in, 1}, {ArgumentKind::inout, 3}});
  add_kernel(pipeline, {{ArgumentKind::in, 2}, {ArgumentKind::inout, 3}});
  pipeline.stages.push_back(stage_on(Stage::copy_out, 3));
  return pipeline;
}

using Order = std::vector<std::vector<std::uint32_t>>;

BOOST_AUTO_TEST_CASE(stages_conflict_where_one_writes_what_the_other_uses) {
  const Pipeline pipeline = diamond();
  const auto found = [&](std::size_t a, std::size_t b) {
    return conflict(pipeline, pipeline.stages[a], pipeline.stages[b]);
  };
  BOOST_TEST(found(0, 3));   // written, then read
  BOOST_TEST(!found(1, 3));  // another buffer
  BOOST_TEST(!found(3, 4));  // both only read
  BOOST_TEST(!found(2, 3));  // an expression is not a buffer
  BOOST_TEST(found(2, 4));   // both write
  BOOST_TEST(found(5, 6));
  BOOST_TEST(conflict(pipeline, pipeline.stages[6], pipeline.stages[2]));  // read, then written
  BOOST_TEST(!conflict(pipeline, pipeline.stages[6], pipeline.stages[6]));
}

BOOST_AUTO_TEST_CASE(a_stage_waits_for_what_its_data_needs_and_no_more) {
  BOOST_TEST((needed_order(diamond()) == Order{{}, {}, {}, {0}, {0, 1, 2}, {3, 4}, {5}}));
}

BOOST_AUTO_TEST_CASE(a_stated_order_replaces_the_data_and_is_reduced) {
  Pipeline pipeline = diamond();
  pipeline.stages[1].states_order = true;
  pipeline.stages[1].after = {0};
  pipeline.stages[4].states_order = true;
  pipeline.stages[4].after = {3, 1, 0, 2};
  pipeline.stages[3].states_order = true;  // and nothing in it
  BOOST_TEST((needed_order(pipeline) == Order{{}, {0}, {}, {}, {1, 2, 3}, {4}, {5}}));
  BOOST_TEST(stages_before(needed_order(pipeline)) ==
             (std::vector<std::uint64_t>{0, 1, 0, 0, 0b1111, 0b11111, 0b111111}));
}

/// Compared with a plain computation: all conflicts, transitively closed, and each direct edge
/// needed.
BOOST_AUTO_TEST_CASE(random_pipelines_wait_for_all_conflicts_and_for_nothing_twice) {
  std::mt19937 random(5);
  const auto below = [&](std::uint32_t limit) {
    return std::uniform_int_distribution<std::uint32_t>(0, limit - 1)(random);
  };
  for (int round = 0; round < 300; ++round) {
    Pipeline pipeline;
    const std::uint32_t stages = 1 + below(round % 10 == 0 ? 64 : 12);
    for (std::uint32_t i = 0; i < stages; ++i) {
      const Stage kind = static_cast<Stage>(below(4));
      if (kind != Stage::transform) {
        pipeline.stages.push_back(stage_on(kind, below(5)));
      } else {
        add_kernel(pipeline, {{static_cast<ArgumentKind>(below(3)), below(5)},
                              {static_cast<ArgumentKind>(below(3)), below(5)}});
      }
    }
    const Order order = needed_order(pipeline);
    std::vector<std::vector<bool>> reach(stages, std::vector<bool>(stages, false));
    for (std::uint32_t i = 0; i < stages; ++i) {
      for (std::uint32_t j = 0; j < i; ++j) {
        if (conflict(pipeline, pipeline.stages[j], pipeline.stages[i])) reach[i][j] = true;
      }
      for (std::uint32_t j = i; j-- > 0;) {
        for (std::uint32_t k = 0; k < j; ++k)
          reach[i][k] = reach[i][k] || (reach[i][j] && reach[j][k]);
      }
      std::vector<std::uint32_t> direct;
      for (std::uint32_t j = 0; j < i; ++j) {
        bool implied = false;
        for (std::uint32_t k = j + 1; k < i; ++k) implied = implied || (reach[i][k] && reach[k][j]);
        if (reach[i][j] && !implied) direct.push_back(j);
      }
      BOOST_REQUIRE(order[i] == direct);
      for (std::uint32_t j = 0; j < i; ++j) {
        BOOST_REQUIRE((stages_before(order)[i] >> j & 1) == (reach[i][j] ? 1u : 0u));
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
