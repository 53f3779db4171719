// Which stages wait for which others.
#include "common/model/workload/pipeline/conflicts.hpp"

#include <boost/test/unit_test.hpp>
#include <random>

#include "tests/model/workload/made_up_pipeline.hpp"

using namespace trilane;

BOOST_AUTO_TEST_SUITE(conflicts)

namespace {

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

}  // namespace

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
