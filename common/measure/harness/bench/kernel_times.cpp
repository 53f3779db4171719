#include "common/measure/harness/bench/kernel_times.hpp"

#include <algorithm>
#include <functional>
#include <limits>

#include "common/base/console/interrupt.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/measure/gpu/mapped.hpp"
#include "common/measure/gpu/pipeline/loaded_pipeline.hpp"
#include "common/measure/gpu/runtime/gated_timer.hpp"
#include "common/measure/gpu/stages/lane_scratch.hpp"
#include "common/measure/harness/bench/host_buffers.hpp"
#include "common/model/workload/data/inputs.hpp"

namespace trilane {
namespace {

constexpr int readings_of_kernels = 7;
constexpr int at_once = 8;  // so that start and end of the work hardly count

/// Times a kernel that has run once, so that its data is there. A kernel that works in place finds
/// the output of earlier readings.
double shortest_us(const GatedTimer& timer, cudaStream_t stream,
                   const std::function<void()>& enqueue) {
  double shortest = std::numeric_limits<double>::infinity();
  for (int i = 0; i < readings_of_kernels; ++i) {
    stop_if_interrupted();
    const double us = timer.time_us(stream, [&] {
      for (int k = 0; k < at_once; ++k) enqueue();
    });
    shortest = std::min(shortest, us / at_once);
  }
  return shortest;
}

}  // namespace

KernelTimes kernel_times(const Workload& workload, std::uint64_t seed) {
  const bool has_fused = workload.pipeline->fused.has_value();
  if (has_fused && workload.host_memory == HostMemory::pageable) {
    throw UsageError(
        "--host-memory pageable: the \"fused\" kernel needs mapped host memory, which pageable "
        "memory is not; use --host-memory pinned");
  }
  const LoadedPipeline loaded(workload);
  const HostBuffers host(sizes_for(workload), workload.host_memory);
  Inputs(workload, seed).fill(host.in.get());
  const Job job(workload, host.in.get(), host.out.get(), loaded.kernels());
  const LaneScratch scratch(workload, 1);
  const Stream stream = make_stream();
  const GatedTimer timer;
  KernelTimes times;
  const auto run = [&](const std::function<void()>& enqueue) {
    enqueue();
    check(cudaStreamSynchronize(stream.get()));
  };
  for (const Step& step : job.steps) {
    if (step.chunk != 0) continue;
    const auto enqueue = [&] { operation_of(step, scratch[0]).enqueue(stream.get()); };
    run(enqueue);
    if (step.stage != Stage::transform) continue;
    times.stages.push_back(shortest_us(timer, stream.get(), enqueue));
  }
  if (job.kernels.fused_full) {
    const MappedHost mapped(job);
    const auto enqueue = [&] { fused(job, job.steps.front(), mapped).enqueue(stream.get()); };
    run(enqueue);
    times.fused = shortest_us(timer, stream.get(), enqueue);
  }
  return times;
}

}  // namespace trilane
