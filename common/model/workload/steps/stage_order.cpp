#include "common/model/workload/steps/stage_order.hpp"

#include <algorithm>

#include "common/model/workload/pipeline/conflicts.hpp"

namespace trilane {
namespace {

/// Returns the order of copy in, memset, kernels, copy out.
StageOrder own_order(std::uint32_t depth) {
  const std::uint32_t first_kernel = 2, copy_out = first_kernel + depth, last_kernel = copy_out - 1;
  StageOrder order{.within = std::vector<StagePlaces>(copy_out + 1),
                   .across = std::vector<StagePlaces>(copy_out + 1)};
  order.within[first_kernel] = {0, 1};
  for (std::uint32_t place = first_kernel + 1; place <= copy_out; ++place) {
    order.within[place] = {place - 1};
  }
  order.across[0] = {last_kernel};
  order.across[1] = {copy_out};
  return order;
}

/// Returns for each stage everything that must end before it in its chunk, and itself.
std::vector<std::vector<bool>> up_to(const std::vector<StagePlaces>& within) {
  std::vector<std::vector<bool>> before(within.size(), std::vector<bool>(within.size()));
  for (std::uint32_t place = 0; place < within.size(); ++place) {
    before[place][place] = true;
    for (const std::uint32_t direct : within[place]) {
      for (std::uint32_t i = 0; i < place; ++i) {
        if (before[direct][i]) before[place][i] = true;
      }
    }
  }
  return before;
}

/// Returns what the preceding chunk must have done before each stage, transitively reduced. It
/// omits stages that precede another entry of the same list, and those for which an earlier stage
/// of the chunk already waits.
std::vector<StagePlaces> order_across(const Pipeline& pipeline,
                                      const std::vector<StagePlaces>& within) {
  const auto count = static_cast<std::uint32_t>(pipeline.stages.size());
  const auto before = up_to(within);
  std::vector<StagePlaces> across(count);
  std::vector<std::vector<bool>> done(count, std::vector<bool>(count));  // when a stage starts
  for (std::uint32_t place = 0; place < count; ++place) {
    for (const std::uint32_t direct : within[place]) {
      for (std::uint32_t i = 0; i < count; ++i) {
        if (done[direct][i]) done[place][i] = true;
      }
    }
    for (std::uint32_t last = count; last-- > 0;) {
      const bool needed = conflict(pipeline, pipeline.stages[last], pipeline.stages[place]);
      if (!needed || done[place][last]) continue;
      across[place].push_back(last);
      for (std::uint32_t i = 0; i < count; ++i) {
        if (before[last][i]) done[place][i] = true;
      }
    }
    std::ranges::reverse(across[place]);
  }
  return across;
}

}  // namespace

StageOrder order_of(const Workload& workload) {
  if (!workload.pipeline) return own_order(workload.depth);
  StageOrder order{.within = needed_order(*workload.pipeline), .across = {}};
  order.across = order_across(*workload.pipeline, order.within);
  return order;
}

std::vector<Stage> kinds_of(const Workload& workload) {
  std::vector<Stage> kinds;
  if (workload.pipeline) {
    for (const StageSpec& stage : workload.pipeline->stages) kinds.push_back(stage.stage);
    return kinds;
  }
  kinds = {Stage::copy_in, Stage::clear};
  kinds.resize(2 + workload.depth, Stage::transform);
  kinds.push_back(Stage::copy_out);
  return kinds;
}

std::vector<bool> early_places(const Workload& workload) {
  const std::vector<Stage> kinds = kinds_of(workload);
  const auto waits_by_itself = [&](std::size_t place) {
    if (!workload.pipeline) return true;
    const Pipeline& pipeline = *workload.pipeline;
    return pipeline.kernels[pipeline.stages[place].kernel].early;
  };
  std::vector<bool> early(kinds.size());
  for (std::size_t place = 1; place < kinds.size(); ++place) {
    early[place] = kinds[place - 1] == Stage::transform && kinds[place] == Stage::transform &&
                   waits_by_itself(place);
  }
  return early;
}

}  // namespace trilane
