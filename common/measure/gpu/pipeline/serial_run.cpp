#include "common/measure/gpu/pipeline/serial_run.hpp"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include "common/base/console/interrupt.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/base/text/quoting.hpp"

namespace trilane {
namespace {

/// Returns the workload on one lane, so that chunks run one after the other.
Workload in_turn(Workload workload) {
  workload.order = Order::depth_first;
  workload.lanes = 1;
  return workload;
}

[[noreturn]] void fail(const Pipeline& pipeline, const Step& step, const CudaError& error) {
  const StageSpec& stage = pipeline.stages[step.place];
  throw WrongResult(fmt::format("{}: {} {} of chunk {} failed: {}", pipeline.file,
                                name_of(stage.stage), in_quotes(stage.name), step.chunk,
                                error.what()));
}

}  // namespace

SerialRun::SerialRun(const Job& job, std::byte* host_out)
    : job_(in_turn(job.workload), job.host_in, host_out, job.kernels),
      memory_(make_device_buffer(job_.layout.scratch_bytes)),
      scratch_(scratch_view(memory_.get(), job_.layout)) {}

void SerialRun::run(std::byte fill, const Watch& watch) {
  for (const Step& step : job_.steps) {
    if (step.first) {
      stop_if_interrupted();
      check(cudaMemsetAsync(memory_.get(), std::to_integer<int>(fill), job_.layout.scratch_bytes,
                            stream_.get()));
    }
    if (watch.before) watch.before(*this, step);
    try {
      operation_of(step, scratch_).enqueue(stream_.get());
      check(cudaStreamSynchronize(stream_.get()));
    } catch (const CudaError& error) {
      fail(*job_.workload.pipeline, step, error);
    }
    if (watch.after) watch.after(*this, step);
  }
}

}  // namespace trilane
