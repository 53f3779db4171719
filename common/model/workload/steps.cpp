#include "common/model/workload/steps.hpp"

#include "common/model/workload/pipeline/conflicts.hpp"

namespace trilane {
namespace {

class StepMaker {
 public:
  explicit StepMaker(const Job& job)
      : job_(job), kinds_(kinds_of(job.workload)), early_(early_places(job.workload)) {}

  std::uint32_t stages() const { return static_cast<std::uint32_t>(kinds_.size()); }

  Step operator()(std::uint32_t place, std::uint32_t chunk) const {
    Step step{};
    step.stage = kinds_[place];
    step.place = place;
    step.first = place == 0;
    step.last = place + 1 == stages();
    step.early = early_[place];
    step.chunk = chunk;
    step.lane = chunk % job_.workload.all_lanes();
    if (job_.workload.pipeline) {
      set_operands_of_file(step, job_.workload.pipeline->stages[place]);
    } else {
      set_own_operands(step);
    }
    return step;
  }

 private:
  void set_own_operands(Step& step) const {
    const Chunk chunk = job_.workload.chunk(step.chunk);
    step.buffer = step.stage == Stage::copy_in ? own_input : own_result;
    step.kernel = step.stage == Stage::transform ? step.place - 2 : 0;
    step.rounds = job_.workload.rounds;
    step.host_in = job_.host_in + chunk.in_offset;
    step.host_out = job_.host_out + chunk.out_offset;
    step.in_bytes = chunk.in_bytes;
    step.out_bytes = chunk.out_bytes;
  }

  void set_operands_of_file(Step& step, const StageSpec& stage) const {
    const BufferPlace& buffer = job_.layout.buffers[stage.buffer];
    step.buffer = stage.buffer;
    step.value = stage.value;
    const std::uint64_t bytes = job_.layout.bytes(stage.buffer, step.chunk);
    switch (stage.stage) {
      case Stage::copy_in:
        step.host_in = job_.host_in + *buffer.in_start + step.chunk * buffer.stride;
        step.in_bytes = bytes;
        break;
      case Stage::copy_out:
        step.host_out = job_.host_out + *buffer.out_start + step.chunk * buffer.stride;
        step.out_bytes = bytes;
        break;
      case Stage::clear: step.out_bytes = bytes; break;
      case Stage::transform: {
        step.kernel = stage.kernel;
        const bool full = step.chunk + 1 < job_.layout.chunks;
        const auto& kernels = full ? job_.kernels.full : job_.kernels.last;
        if (!kernels.empty()) step.launch = kernels[stage.kernel];
        break;
      }
    }
  }

  const Job& job_;
  std::vector<Stage> kinds_;
  std::vector<bool> early_;
};

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

/// Returns what the preceding chunk must have done before each stage, transitively reduced. Omits
/// stages before another of the same list, and those that an earlier stage already waits for.
std::vector<StagePlaces> order_across(const Pipeline& pipeline,
                                      const std::vector<StagePlaces>& within) {
  const auto count = static_cast<std::uint32_t>(pipeline.stages.size());
  const std::vector<std::uint64_t> before = stages_before(within);
  std::vector<StagePlaces> across(count);
  std::vector<std::uint64_t> done(count);  // when a stage starts, one bit for each stage
  for (std::uint32_t place = 0; place < count; ++place) {
    for (const std::uint32_t direct : within[place]) done[place] |= done[direct];
    for (std::uint32_t last = count; last-- > 0;) {
      if ((done[place] >> last & 1) != 0) continue;
      if (!conflict(pipeline, pipeline.stages[last], pipeline.stages[place])) continue;
      across[place].push_back(last);
      done[place] |= before[last] | std::uint64_t{1} << last;
    }
    std::ranges::reverse(across[place]);
  }
  return across;
}

StagePlaces on_others(const StagePlaces& places, const std::vector<Stage>& kinds,
                      std::uint32_t own) {
  std::array<std::optional<std::uint32_t>, engine_count> latest{};
  for (const std::uint32_t place : places) {
    auto& known = latest[engine_of(kinds[place])];
    known = std::max(known, std::optional(place));
  }
  latest[own].reset();
  StagePlaces found;
  for (const auto& place : latest) {
    if (place) found.push_back(*place);
  }
  return found;
}

std::uint64_t sum(const std::vector<StagePlaces>& all) {
  std::uint64_t count = 0;
  for (const StagePlaces& places : all) count += places.size();
  return count;
}

bool is_copy(Stage stage) { return stage == Stage::copy_in || stage == Stage::copy_out; }

}  // namespace

Job::Job(const Workload& workload_, const std::byte* host_in_, std::byte* host_out_,
         FileKernels kernels_)
    : workload(workload_),
      layout(layout_of(workload)),
      host_in(host_in_),
      host_out(host_out_),
      kernels(std::move(kernels_)) {
  const StepMaker step_of(*this);
  const std::uint32_t chunks = workload.chunks();
  const std::uint32_t wave = workload.order == Order::depth_first ? 1 : workload.all_lanes();
  steps.reserve(workload.operations());
  // One chunk at a time gives depth-first order, one chunk per lane breadth-first order.
  for (std::uint32_t first = 0; first < chunks; first += wave) {
    for (std::uint32_t place = 0; place < step_of.stages(); ++place) {
      for (std::uint32_t chunk = first; chunk < std::min(chunks, first + wave); ++chunk) {
        steps.push_back(step_of(place, chunk));
      }
    }
  }
}

StageOrder order_of(const Workload& workload) {
  if (!workload.pipeline) return own_order(workload.depth);
  StageOrder order{.within = needed_order(*workload.pipeline)};
  order.across = order_across(*workload.pipeline, order.within);
  return order;
}

std::vector<Stage> kinds_of(const Workload& workload) {
  if (workload.pipeline) return transformed(workload.pipeline->stages, &StageSpec::stage);
  std::vector<Stage> kinds{Stage::copy_in, Stage::clear};
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

std::uint32_t engine_of(Stage stage) {
  switch (stage) {
    case Stage::copy_in: return 0;
    case Stage::clear:
    case Stage::transform: return 1;
    case Stage::copy_out: break;
  }
  return 2;
}

std::uint64_t EngineOrder::records() const {
  return static_cast<std::uint64_t>(std::ranges::count(recorded, true));
}
std::uint64_t EngineOrder::waits_within() const { return sum(within); }
std::uint64_t EngineOrder::waits_across() const { return sum(across); }

EngineOrder engine_order_of(const Workload& workload) {
  const StageOrder order = order_of(workload);
  const std::vector<Stage> kinds = kinds_of(workload);
  EngineOrder found;
  found.recorded.resize(kinds.size());
  for (std::size_t place = 0; place < kinds.size(); ++place) {
    const std::uint32_t engine = engine_of(kinds[place]);
    found.within.push_back(on_others(order.within[place], kinds, engine));
    found.across.push_back(on_others(order.across[place], kinds, engine));
    for (const StagePlaces* waits : {&found.within.back(), &found.across.back()}) {
      for (const std::uint32_t other : *waits) found.recorded[other] = true;
    }
  }
  return found;
}

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
