#include "common/gpu/pipeline/serial_run.hpp"

#include <cuda_runtime_api.h>

#include "common/console/interrupt.hpp"

namespace trilane {
namespace {

/// In one lane, so that chunks run one after the other.
Workload in_turn(Workload workload) {
  workload.order = Order::depth_first;
  workload.lanes = 1;
  return workload;
}

}  // namespace

SerialRun::SerialRun(const Job& job, std::byte* host_out)
    : job_(in_turn(job.workload), job.host_in, host_out, job.kernels),
      memory_(make_device_buffer(job_.layout.scratch_bytes)),
      scratch_(scratch_view(memory_.get(), job_.layout)) {}

void SerialRun::run(std::byte fill) {
  run(fill, {.before = [](const Step&) {}, .after = [](const Step&) {}});
}

void SerialRun::run(std::byte fill, const Watch& watch) {
  for (const Step& step : job_.steps) {
    if (step.first) {
      stop_if_interrupted();
      check(cudaMemsetAsync(memory_.get(), std::to_integer<int>(fill), job_.layout.scratch_bytes,
                            stream_.get()));
    }
    watch.before(step);
    operation_of(step, scratch_).enqueue(stream_.get());
    check(cudaStreamSynchronize(stream_.get()));
    watch.after(step);
  }
}

}  // namespace trilane
