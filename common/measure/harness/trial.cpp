#include "common/measure/harness/trial.hpp"

#include <cuda_runtime_api.h>

#include "common/base/console/console.hpp"
#include "common/base/console/interrupt.hpp"
#include "common/base/text/words.hpp"
#include "common/measure/gpu/mapped.hpp"
#include "common/measure/gpu/pipeline/loaded_pipeline.hpp"
#include "common/measure/gpu/runtime/gated_timer.hpp"
#include "common/measure/gpu/scratch.hpp"
#include "common/measure/harness/host_buffers.hpp"
#include "common/measure/harness/pipeline_reference.hpp"

namespace trilane {
namespace {

/// Returns for each byte of a chunk's memory whether a kernel may write it.
std::vector<bool> writable(const Job& job, const Step& step) {
  std::vector<bool> may(job.layout.scratch_bytes);
  for (const Argument& argument : job.workload.pipeline->kernels[step.kernel].arguments) {
    if (!is_written(argument.kind)) continue;
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
  throw WrongResult("{}: kernel {} writes {} {} {}, the first at byte {} of chunk {}: {}",
                    pipeline.file, in_quotes(pipeline.kernels[step.kernel].name),
                    counted(bytes, "byte"), behind ? "past the end of" : "of",
                    in_quotes(pipeline.buffers[hit].name), at, step.chunk,
                    behind ? "stop at the end of the buffer"
                           : "mark the buffer as \"out\" or \"inout\" in the kernel's arguments");
}

/// Compares the device memory of a chunk after a kernel with that before it, outside of the buffers
/// declared as out or inout. Throws WrongResult that names the kernel and the buffer that it wrote,
/// or wrote past.
void ensure_declared(const std::vector<std::byte>& before, const SerialRun& run, const Step& step) {
  const std::vector<std::byte> now = content_of(run);
  const std::vector<bool> may = writable(run.job(), step);
  std::uint64_t first = 0, bytes = 0;
  for (std::uint64_t i = now.size(); i-- > 0;) {
    if (may[i] || now[i] == before[i]) continue;
    first = i;
    ++bytes;
  }
  if (bytes > 0) complain(run.job(), step, first, bytes);
}

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

void run_trial(const Workload& workload, std::uint64_t seed, double limit_us) {
  const LoadedPipeline loaded(workload);
  const HostBuffers host(sizes_for(workload), workload.host_memory);
  PipelineReference reference(workload, loaded.kernels(), seed, host.in.get());
  StageWatchdog watchdog(*workload.pipeline, limit_us);
  std::vector<std::byte> content;  // of the chunk's memory before the step
  // Full chunks have the same sizes, so checking one of them and the last suffices.
  const auto is_watched = [&](const Step& step) {
    return step.stage == Stage::transform &&
           (step.chunk == 0 || step.chunk + 1 == workload.chunks());
  };
  const auto before = [&](const SerialRun& run, const Step& step) {
    if (is_watched(step)) content = content_of(run);
    watchdog.start(step);
  };
  const auto after = [&](const SerialRun& run, const Step& step) {
    watchdog.stop();
    if (is_watched(step)) ensure_declared(content, run, step);
  };
  reference.draw(host.expected.get(), {.before = before, .after = after});
}

StageWatchdog::StageWatchdog(const Pipeline& pipeline, double limit_us)
    : pipeline_(pipeline),
      limit_us_(limit_us),
      thread_([this](const std::stop_token& stop) { watch(stop); }) {}

void StageWatchdog::start(const Step& step) {
  {
    const std::lock_guard lock(mutex_);
    running_ = true;
    ++turn_;
    place_ = step.place;
    chunk_ = step.chunk;
  }
  changed_.notify_one();
}

void StageWatchdog::stop() {
  const std::lock_guard lock(mutex_);
  running_ = false;
}

void StageWatchdog::watch(const std::stop_token& stop) {
  const auto limit = std::chrono::duration<double, std::micro>(limit_us_);
  std::unique_lock lock(mutex_);
  while (changed_.wait(lock, stop, [this] { return running_; }) && !stop.stop_requested()) {
    const std::uint64_t turn = turn_;
    const bool over = !changed_.wait_for(lock, stop, limit, [&] { return turn_ != turn; });
    if (over && running_ && !stop.stop_requested()) give_up();
  }
}

void StageWatchdog::give_up() const {
  const StageSpec& stage = pipeline_.stages[place_];
  give_last_message("trilane",
                    fmt::format("{}: {} {} of chunk {} has run for {} s and was abandoned; make it "
                                "end, or allow more time with --kernel-limit",
                                pipeline_.file, name_of(stage.stage), in_quotes(stage.name), chunk_,
                                limit_us_ / 1e6));
  std::_Exit(exit_wrong);
}

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
