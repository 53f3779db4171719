#include "common/measure/harness/bench/trial.hpp"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <vector>

#include "common/base/text/exit_code.hpp"
#include "common/base/text/quoting.hpp"
#include "common/base/text/words.hpp"
#include "common/measure/gpu/pipeline/loaded_pipeline.hpp"
#include "common/measure/gpu/pipeline/serial_run.hpp"
#include "common/measure/harness/bench/host_buffers.hpp"
#include "common/measure/harness/bench/pipeline_reference.hpp"
#include "common/measure/harness/bench/stage_watchdog.hpp"

namespace trilane {
namespace {

/// Compares the device memory of a chunk before and after each kernel, outside of the buffers
/// declared as out or inout.
class WriteWatch {
 public:
  void before(const SerialRun& run, const Step& step);

  /// Throws WrongResult that names the kernel and the buffer that it wrote, or wrote past.
  void after(const SerialRun& run, const Step& step);

 private:
  std::vector<std::byte> before_;
};

/// Returns for each byte of a chunk's memory whether a kernel may write it.
std::vector<bool> writable(const Job& job, const Step& step) {
  std::vector<bool> may(job.layout.scratch_bytes);
  for (const Argument& argument : job.workload.pipeline->kernels[step.kernel].arguments) {
    const bool writes = argument.kind == ArgumentKind::out || argument.kind == ArgumentKind::inout;
    if (!writes) continue;
    const std::uint64_t start = job.layout.buffers[argument.buffer].scratch_offset;
    const std::uint64_t end = start + job.layout.bytes(argument.buffer, step.chunk);
    for (std::uint64_t i = start; i < end; ++i) may[i] = true;
  }
  return may;
}

std::vector<std::byte> content_of(const SerialRun& run) {
  std::vector<std::byte> bytes(run.job().layout.scratch_bytes);
  check(cudaMemcpy(bytes.data(), run.memory(), bytes.size(), cudaMemcpyDeviceToHost));
  return bytes;
}

/// Returns the last buffer that starts at or before that byte.
std::uint32_t buffer_at(const Layout& layout, std::uint64_t byte) {
  std::uint32_t hit = 0;
  for (std::uint32_t i = 0; i < layout.buffers.size(); ++i) {
    const std::uint64_t start = layout.buffers[i].scratch_offset;
    const bool later = start >= layout.buffers[hit].scratch_offset;
    if (start <= byte && (later || layout.buffers[hit].scratch_offset > byte)) hit = i;
  }
  return hit;
}

[[noreturn]] void complain(const Job& job, const Step& step, std::uint64_t first,
                           std::uint64_t bytes) {
  const Pipeline& pipeline = *job.workload.pipeline;
  const std::uint32_t hit = buffer_at(job.layout, first);
  const std::uint64_t at = first - job.layout.buffers[hit].scratch_offset;
  const bool behind = at >= job.layout.bytes(hit, step.chunk);
  throw WrongResult(fmt::format(
      "{}: kernel {} writes {} {} {}, the first at byte {} of chunk {}: {}", pipeline.file,
      in_quotes(pipeline.kernels[step.kernel].name), counted(bytes, "byte"),
      behind ? "behind the end of" : "of", in_quotes(pipeline.buffers[hit].name), at, step.chunk,
      behind ? "stop at the end of the buffer"
             : "mark the buffer as \"out\" or \"inout\" in the kernel's arguments"));
}

void WriteWatch::before(const SerialRun& run, const Step& step) {
  if (step.stage == Stage::transform) before_ = content_of(run);
}

void WriteWatch::after(const SerialRun& run, const Step& step) {
  if (step.stage != Stage::transform) return;
  const std::vector<std::byte> now = content_of(run);
  const std::vector<bool> may = writable(run.job(), step);
  std::uint64_t first = 0, bytes = 0;
  for (std::uint64_t i = now.size(); i-- > 0;) {
    if (may[i] || now[i] == before_[i]) continue;
    first = i;
    ++bytes;
  }
  if (bytes > 0) complain(run.job(), step, first, bytes);
}

}  // namespace

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
