#include "common/model/workload/stage_runs.hpp"

#include "common/model/workload/stage_order.hpp"

namespace trilane {
namespace {

bool is_copy(Stage stage) { return stage == Stage::copy_in || stage == Stage::copy_out; }

}  // namespace

std::vector<StageRun> stage_runs(const Workload& workload) {
  std::vector<StageRun> runs;
  const std::vector<Stage> kinds = kinds_of(workload);
  const auto buffer_at = [&](std::uint32_t place) {
    if (workload.pipeline) return workload.pipeline->stages[place].buffer;
    return kinds[place] == Stage::copy_in ? own_input : own_result;
  };
  for (std::uint32_t place = 0; place < kinds.size(); ++place) {
    const bool goes_on =
        kinds[place] == Stage::transform && !runs.empty() && runs.back().stage == Stage::transform;
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

std::vector<StageSection> stage_sections(const Workload& workload) {
  std::vector<StageSection> sections;
  for (const StageRun& run : stage_runs(workload)) {
    const bool copies = is_copy(run.stage);
    const bool goes_on = !sections.empty() && sections.back().copies == copies &&
                         (!copies || sections.back().runs.back().stage == run.stage);
    if (!goes_on) sections.push_back({copies, {}});
    sections.back().runs.push_back(run);
  }
  return sections;
}

std::uint64_t batches_of_pass(const Workload& workload) {
  const std::vector<StageSection> sections = stage_sections(workload);
  return static_cast<std::uint64_t>(std::ranges::count(sections, true, &StageSection::copies));
}

std::uint64_t copies_of_pass(const Workload& workload) {
  std::uint64_t copies = 0;
  for (const StageRun& run : stage_runs(workload)) {
    if (is_copy(run.stage)) copies += operations_together(workload, run);
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

std::vector<Step> steps_of(const Job& job, const StageRun& run) {
  std::vector<Step> steps;
  std::ranges::copy_if(job.steps, std::back_inserter(steps), [&](const Step& step) {
    return step.place >= run.first && step.place < run.first + run.count;
  });
  return steps;
}

}  // namespace trilane
