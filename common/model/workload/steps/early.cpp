#include "common/model/workload/steps/early.hpp"

#include "common/model/workload/steps/stage_order.hpp"

namespace trilane {

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
