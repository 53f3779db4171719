#include "common/harness/trial/kernel_times.hpp"

#include <algorithm>
#include <limits>

#include "common/console/interrupt.hpp"
#include "common/gpu/pipeline/loaded_pipeline.hpp"
#include "common/gpu/runtime/gated_timer.hpp"
#include "common/gpu/scratch/lane_scratch.hpp"
#include "common/harness/bench/host_buffers.hpp"
#include "common/workload/data/inputs.hpp"

namespace trilane {
namespace {

constexpr int readings = 7;
constexpr int at_once = 8;  // so that the start and end of the work count little

}  // namespace

std::vector<double> kernel_times_us(const Workload& workload, std::uint64_t seed) {
  const LoadedPipeline loaded(workload);
  const HostBuffers host(sizes_for(workload), workload.host_memory);
  Inputs(workload, seed).fill(host.in.get());
  const Job job(workload, host.in.get(), host.out.get(), loaded.kernels());
  const LaneScratch scratch(workload, 1);
  const Stream stream = make_stream();
  const GatedTimer timer;
  std::vector<double> times;
  for (const Step& step : job.steps) {
    if (step.chunk != 0) continue;
    // Its data must be there; a kernel that works in place finds what earlier readings left.
    operation_of(step, scratch[0]).enqueue(stream.get());
    check(cudaStreamSynchronize(stream.get()));
    if (step.stage != Stage::transform) continue;
    double fastest = std::numeric_limits<double>::infinity();
    for (int i = 0; i < readings; ++i) {
      stop_if_interrupted();
      const double us = timer.time_us(stream.get(), [&] {
        for (int k = 0; k < at_once; ++k) operation_of(step, scratch[0]).enqueue(stream.get());
      });
      fastest = std::min(fastest, us / at_once);
    }
    times.push_back(fastest);
  }
  return times;
}

}  // namespace trilane
