#include "common/gpu/pipeline/write_watch.hpp"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include "common/text/exit_code.hpp"
#include "common/text/quoting.hpp"
#include "common/text/words.hpp"

namespace trilane {
namespace {

/// Whether a kernel may write each byte of a chunk's memory.
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

}  // namespace

WriteWatch::WriteWatch(const SerialRun& run) : run_(run) {}

std::vector<std::byte> WriteWatch::content() const {
  std::vector<std::byte> bytes(run_.job().layout.scratch_bytes);
  // The buffer that lies first starts the chunk's memory.
  for (std::size_t i = 0; i < run_.job().layout.buffers.size(); ++i) {
    if (run_.job().layout.buffers[i].scratch_offset != 0) continue;
    check(cudaMemcpy(bytes.data(), run_.buffers().at[i], bytes.size(), cudaMemcpyDeviceToHost));
  }
  return bytes;
}

void WriteWatch::before(const Step& step) {
  if (step.stage == Stage::transform) before_ = content();
}

void WriteWatch::after(const Step& step) {
  if (step.stage != Stage::transform) return;
  const std::vector<std::byte> now = content();
  const std::vector<bool> may = writable(run_.job(), step);
  std::uint64_t first = 0, bytes = 0;
  for (std::uint64_t i = now.size(); i-- > 0;) {
    if (may[i] || now[i] == before_[i]) continue;
    first = i;
    ++bytes;
  }
  if (bytes > 0) complain(step, first, bytes);
}

void WriteWatch::complain(const Step& step, std::uint64_t first, std::uint64_t bytes) const {
  const Job& job = run_.job();
  const Pipeline& pipeline = *job.workload.pipeline;
  std::size_t hit = 0;  // the buffer that starts last before the byte
  for (std::size_t i = 0; i < job.layout.buffers.size(); ++i) {
    const std::uint64_t start = job.layout.buffers[i].scratch_offset;
    if (start <= first && start >= job.layout.buffers[hit].scratch_offset) hit = i;
  }
  const std::string buffer = in_quotes(pipeline.buffers[hit].name);
  const std::uint64_t at = first - job.layout.buffers[hit].scratch_offset;
  const bool behind = at >= job.layout.bytes(static_cast<std::uint32_t>(hit), step.chunk);
  throw WrongResult(
      fmt::format("{}: kernel {} writes {} {} {}, at byte {} of chunk {}: {}", pipeline.file,
                  in_quotes(pipeline.kernels[step.kernel].name), counted(bytes, "byte"),
                  behind ? "behind the end of" : "of", buffer, at, step.chunk,
                  behind ? "let it stop at the end"
                         : "mark the buffer as \"out\" or \"inout\" in its arguments"));
}

}  // namespace trilane
