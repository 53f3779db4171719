#include "common/measure/harness/pipeline_reference.hpp"

#include <cuda_runtime_api.h>

#include "common/base/console/interrupt.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/base/text/words.hpp"
#include "common/device/flavour/flavour.hpp"
#include "common/model/workload/pipeline/element.hpp"

namespace trilane {
namespace {

/// Returns the workload on one lane, so that chunks run one after the other.
Workload in_turn(Workload workload) {
  workload.order = Order::depth_first;
  workload.lanes = 1;
  workload.gpus.reset();
  return workload;
}

[[noreturn]] void fail(const Pipeline& pipeline, const Step& step, const CudaError& error) {
  const StageSpec& stage = pipeline.stages[step.place];
  throw WrongResult("{}: {} {} of chunk {} failed: {}", pipeline.file, name_of(stage.stage),
                    in_quotes(stage.name), step.chunk, error.what());
}

/// Device memory before the first and the second run.
constexpr std::byte one_fill{0xa5}, other_fill{0x5a};

/// Returns true if every differing byte still holds the earlier content of the memory: nothing
/// wrote it.
bool is_unwritten(const Layout& layout, const Difference& found, const std::byte* one,
                  const std::byte* other) {
  const BufferPlace& place = layout.buffers[found.buffer];
  for (std::uint32_t chunk = 0; chunk < layout.chunks; ++chunk) {
    const std::uint64_t start = *place.out_start + chunk * place.stride;
    for (std::uint64_t i = start; i < start + layout.bytes(found.buffer, chunk); ++i) {
      if (one[i] != other[i] && (one[i] != one_fill || other[i] != other_fill)) return false;
    }
  }
  return true;
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

PipelineReference::PipelineReference(const Workload& workload, FileKernels kernels,
                                     std::uint64_t seed, std::byte* host_in)
    : workload_(workload),
      kernels_(std::move(kernels)),
      host_in_(host_in),
      inputs_(workload, seed) {}

void PipelineReference::draw(std::byte* expected, const SerialRun::Watch& watch) {
  inputs_.fill(host_in_);
  if (profile_in_use() != nullptr) return;
  SerialRun run(Job(workload_, host_in_, expected, kernels_), expected);
  run.run(one_fill, watch);
  if (std::exchange(first_, false)) ensure_repeatable(run, watch, expected);
  ensure_right(expected);
}

void PipelineReference::ensure_repeatable(SerialRun& run, const SerialRun::Watch& watch,
                                          std::byte* expected) {
  const Layout layout = layout_of(workload_);
  const std::vector<std::byte> one(expected, expected + layout.out_bytes);
  run.run(other_fill, watch);
  const auto found = difference(workload_, expected, one.data());
  if (!found) return;
  const Pipeline& pipeline = *workload_.pipeline;
  const BufferSpec& buffer = pipeline.buffers[found->buffer];
  if (is_unwritten(layout, *found, one.data(), expected)) {
    throw WrongResult(
        "{}: nothing wrote {} of the {} elements of {}, first {} of chunk {}: write all of it, or "
        "add a memset of it before the kernel",
        pipeline.file, found->elements, found->of, in_quotes(buffer.name), found->element,
        found->chunk);
  }
  throw WrongResult(
      "{}: not deterministic: two runs of serial left {} of {} elements of {} different ({} "
      "bytes), first element {} of chunk {}; look for a race or for memory that is read before it "
      "is written{}, or give the buffer \"check\": \"none\"",
      pipeline.file, found->elements, found->of, in_quotes(buffer.name), found->bytes,
      found->element, found->chunk,
      is_floating(buffer.element)
          ? ", give it a \"tolerance\" if only the order of additions differs"
          : "");
}

void PipelineReference::ensure_right(std::byte* expected) const {
  const Layout layout = layout_of(workload_);
  const Pipeline& pipeline = *workload_.pipeline;
  for (std::uint32_t i = 0; i < pipeline.buffers.size(); ++i) {
    const BufferSpec& buffer = pipeline.buffers[i];
    const BufferPlace& place = layout.buffers[i];
    if (buffer.reference.empty() || !place.out_start) continue;
    const auto right = bytes_of_file(pipeline, buffer, buffer.reference);
    const std::uint64_t needed = (layout.chunks - 1) * place.bytes + place.last_bytes;
    if (right.size() != needed) {
      throw UsageError(
          "{}: buffer {}: its reference {} holds {} bytes, and all chunks have {}; give a file of "
          "that size",
          pipeline.file, in_quotes(buffer.name), in_quotes(buffer.reference), right.size(), needed);
    }
    std::vector<std::byte> wanted(expected, expected + layout.out_bytes);
    for (std::uint32_t chunk = 0; chunk < layout.chunks; ++chunk) {
      std::memcpy(wanted.data() + *place.out_start + chunk * place.stride,
                  right.data() + chunk * place.bytes, layout.bytes(i, chunk));
    }
    if (const auto found = difference(workload_, expected, wanted.data())) {
      throw WrongResult("{}: the result of serial differs from {}: {}", pipeline.file,
                        in_quotes(buffer.reference),
                        in_words(*found, workload_, expected, wanted.data()));
    }
    std::ranges::copy(wanted, expected);
  }
}

}  // namespace trilane
