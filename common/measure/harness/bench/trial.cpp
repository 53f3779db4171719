#include "common/measure/harness/bench/trial.hpp"

#include "common/measure/gpu/pipeline/loaded_pipeline.hpp"
#include "common/measure/gpu/pipeline/write_watch.hpp"
#include "common/measure/harness/bench/host_buffers.hpp"
#include "common/measure/harness/bench/pipeline_reference.hpp"
#include "common/measure/harness/bench/stage_watchdog.hpp"

namespace trilane {

void run_trial(const Workload& workload, std::uint64_t seed, double limit_us) {
  const LoadedPipeline loaded(workload);
  const HostBuffers host(sizes_for(workload), workload.host_memory);
  PipelineReference reference(workload, loaded.kernels(), seed, host.in.get());
  StageWatchdog watchdog(*workload.pipeline, limit_us);
  WriteWatch writes;
  // Full chunks have the same sizes, so checking one of them and the last suffices.
  const auto is_watched = [&](const Step& step) {
    return step.chunk == 0 || step.chunk + 1 == workload.chunks();
  };
  reference.draw(host.expected.get(), {.before =
                                           [&](const SerialRun& run, const Step& step) {
                                             if (is_watched(step)) writes.before(run, step);
                                             watchdog.start(step);
                                           },
                                       .after =
                                           [&](const SerialRun& run, const Step& step) {
                                             watchdog.stop();
                                             if (is_watched(step)) writes.after(run, step);
                                           }});
}

}  // namespace trilane
