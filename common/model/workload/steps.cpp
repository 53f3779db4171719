#include "common/model/workload/steps.hpp"

#include "common/model/workload/stage_order.hpp"

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

}  // namespace trilane
