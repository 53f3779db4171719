#include "common/workload/steps/stage_runs.hpp"

#include "common/workload/steps/stage_order.hpp"

namespace trilane {

std::vector<StageRun> stage_runs(const Workload& workload) {
  std::vector<StageRun> runs;
  const std::vector<Stage> kinds = kinds_of(workload);
  const auto buffer_at = [&](std::uint32_t place) {
    if (workload.pipeline) return workload.pipeline->stages[place].buffer;
    return kinds[place] == Stage::copy_in ? own_input : own_result;
  };
  for (std::uint32_t place = 0; place < kinds.size(); ++place) {
    const bool goes_on = kinds[place] == Stage::transform && !runs.empty() &&
                         runs.back().stage == Stage::transform;
    if (goes_on) {
      ++runs.back().count;
    } else {
      runs.push_back({kinds[place], place, 1, buffer_at(place)});
    }
  }
  return runs;
}

std::uint32_t operations_together(const Workload& workload, const StageRun& run) {
  if (run.stage == Stage::clear) return 1;
  return copies_together(workload, layout_of(workload).buffers[run.buffer]);
}

std::uint64_t copies_of_pass(const Workload& workload) {
  std::uint64_t copies = 0;
  for (const StageRun& run : stage_runs(workload)) {
    const bool copies_bytes = run.stage == Stage::copy_in || run.stage == Stage::copy_out;
    if (copies_bytes) copies += operations_together(workload, run);
  }
  return copies;
}

std::uint64_t pass_bytes(const Workload& workload) {
  const Layout layout = layout_of(workload);
  std::uint64_t bytes = 0;
  for (const BufferPlace& place : layout.buffers) {
    bytes += (layout.chunks - 1) * pitch_of(workload, place) + place.last_bytes;
  }
  return bytes;
}

std::vector<StageGroup> stage_groups(const Job& job) {
  std::vector<StageGroup> groups;
  for (const StageRun& run : stage_runs(job.workload)) {
    StageGroup& group = groups.emplace_back(StageGroup{run.stage, {}});
    for (const Step& step : job.steps) {
      if (step.place >= run.first && step.place < run.first + run.count) {
        group.steps.push_back(step);
      }
    }
  }
  return groups;
}

}  // namespace trilane
