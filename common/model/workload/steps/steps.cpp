#include "common/model/workload/steps/steps.hpp"

#include <algorithm>
#include <utility>

#include "common/model/workload/steps/stage_order.hpp"

namespace trilane {

namespace {

/// Makes the step of a stage for one chunk after the other.
class StepMaker {
 public:
  explicit StepMaker(const Job& job)
      : job_(job),
        own_(!job.workload.pipeline),
        stages_(job.workload.operations() / chunks()),
        early_(early_places(job.workload)) {}

  std::uint32_t stages() const { return static_cast<std::uint32_t>(stages_); }
  std::uint32_t chunks() const { return job_.workload.chunks(); }

  Step operator()(std::uint32_t place, std::uint32_t chunk) const {
    Step step = own_ ? own(place, chunk) : of_file(place, chunk);
    step.place = place;
    step.first = place == 0;
    step.last = place + 1 == stages();
    step.early = early_[place];
    step.chunk = chunk;
    step.lane = chunk % job_.workload.lanes;
    return step;
  }

 private:
  /// Makes a step of Trilane's own pipeline, with the operands of the whole chunk, which fused
  /// kernels read.
  Step own(std::uint32_t place, std::uint32_t index) const {
    const Chunk chunk = job_.workload.chunk(index);
    Step step{};
    step.stage = place == 0            ? Stage::copy_in
                 : place == 1          ? Stage::clear
                 : place + 1 < stages_ ? Stage::transform
                                       : Stage::copy_out;
    step.buffer = step.stage == Stage::copy_in ? own_input : own_result;
    step.kernel = step.stage == Stage::transform ? place - 2 : 0;
    step.rounds = job_.workload.rounds;
    step.host_in = job_.host_in + chunk.in_offset;
    step.host_out = job_.host_out + chunk.out_offset;
    step.in_bytes = chunk.in_bytes;
    step.out_bytes = chunk.out_bytes;
    return step;
  }

  Step of_file(std::uint32_t place, std::uint32_t chunk) const {
    const StageSpec& stage = job_.workload.pipeline->stages[place];
    const BufferPlace& buffer = job_.layout.buffers[stage.buffer];
    Step step{};
    step.stage = stage.stage;
    step.buffer = stage.buffer;
    step.value = stage.value;
    const std::uint64_t bytes = job_.layout.bytes(stage.buffer, chunk);
    switch (stage.stage) {
      case Stage::copy_in:
        step.host_in = job_.host_in + *buffer.in_start + chunk * buffer.stride;
        step.in_bytes = bytes;
        break;
      case Stage::copy_out:
        step.host_out = job_.host_out + *buffer.out_start + chunk * buffer.stride;
        step.out_bytes = bytes;
        break;
      case Stage::clear: step.out_bytes = bytes; break;
      case Stage::transform: {
        step.kernel = stage.kernel;
        const auto& kernels = chunk + 1 == chunks() ? job_.kernels.last : job_.kernels.full;
        if (!kernels.empty()) step.launch = kernels[stage.kernel];
        break;
      }
    }
    return step;
  }

  const Job& job_;
  bool own_;
  std::uint64_t stages_;
  std::vector<bool> early_;
};

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
  const std::uint32_t wave = workload.order == Order::depth_first ? 1 : workload.lanes;
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

}  // namespace trilane
