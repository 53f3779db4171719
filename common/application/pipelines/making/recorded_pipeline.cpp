#include "common/application/pipelines/making/recorded_pipeline.hpp"

#include "common/application/iteration/call_traits.hpp"
#include "common/base/json/misfit.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/model/workload/file/fields.hpp"
#include "common/model/workload/file/pipeline_file.hpp"
#include "common/model/workload/knobs.hpp"

namespace trilane {
namespace {

std::string name_of_program(const std::string& command_line) {
  const std::string word = command_line.substr(0, command_line.find(' '));
  const std::string name = std::filesystem::path(word).filename();
  return name.empty() ? "recorded" : printable(name, most_name);
}

/// Sets the lanes: the streams or, if a chunk uses several, the chunks with memory of their own.
void put_lanes(const ChunkedIteration& chunked, RecordedPipeline& made) {
  const auto stream_of = [&](std::size_t operation) {
    return chunked.operations.call_of(chunked.operations[operation]).stream;
  };
  std::set<std::uint32_t> streams;
  std::set<DevicePlace> places;  // the first of each chunk
  bool one_each = true, in_a_row = true;
  for (const ChunkChain& chain : chunked.chains) {
    places.insert(chunked.operations[chain[0]].places.front());
    for (std::size_t i = 0; i < chain.size(); ++i) {
      streams.insert(stream_of(chain[i]));
      one_each = one_each && stream_of(chain[i]) == stream_of(chain[0]);
      in_a_row = in_a_row && chain[i] == chain[0] + i;
    }
  }
  // With a stream for each engine, as many chunks are under way as have their own memory.
  const std::size_t lanes = one_each ? streams.size() : places.size();
  made.lanes =
      static_cast<std::uint32_t>(std::min({lanes, chunked.chains.size(), std::size_t{max_lanes}}));
  made.order = in_a_row ? Order::depth_first : Order::breadth_first;
}

/// Makes names, types and sizes of the buffers, and the items of a chunk, which determine the
/// sizes. Throws UsageError that names a call which uses a buffer with another size.
class BufferMaker {
 public:
  BufferMaker(const ChunkedIteration& chunked, std::vector<BufferSpec>& buffers)
      : chunked_(chunked), buffers_(buffers) {}

  /// Puts the buffers into the list, in the order of the chunk's. Returns the items.
  ChunkNumber make() {
    for (std::uint32_t i = 0; i < chunked_.chunks.buffers.size(); ++i) {
      const ChunkBuffer& buffer = chunked_.chunks.buffers[i];
      BufferSpec& spec = buffers_.emplace_back();
      spec.name = free_name(buffer.copied_in && buffer.copied_out ? "data"
                            : buffer.copied_in                    ? "in"
                            : buffer.copied_out                   ? "out"
                                                                  : "scratch");
      spec.element = element_of(i);
    }
    choose_items();
    for (std::uint32_t i = 0; i < chunked_.chunks.buffers.size(); ++i) put_count(i);
    return items_;
  }

 private:
  /// Returns the buffer's type by the kernels' names; bytes if they say nothing or it does not fit.
  Element element_of(std::uint32_t buffer) const {
    const ChunkBuffer& sizes = chunked_.chunks.buffers[buffer];
    for (const ChunkStage& stage : chunked_.chunks.stages) {
      const ChunkOperation& first = chunked_.first_of(stage);
      if (first.stage != Stage::transform) continue;
      const auto& types = chunked_.types[chunked_.operations.call_of(first).kernel];
      for (std::size_t i = 0; i < stage.buffers.size(); ++i) {
        const auto element = types[first.parameters[i]].element;
        if (stage.buffers[i] != buffer || !element) continue;
        const std::uint64_t size = size_of(*element);
        if (sizes.bytes % size == 0 && sizes.last_bytes % size == 0) return *element;
      }
    }
    return Element::uint8;
  }

  ChunkNumber elements_in(std::uint32_t buffer) const {
    const ChunkBuffer& sizes = chunked_.chunks.buffers[buffer];
    const std::uint64_t size = size_of(buffers_[buffer].element);
    return {sizes.bytes / size, sizes.last_bytes / size};
  }

  std::string free_name(const std::string& name) const {
    std::string found = name;
    for (int i = 2; includes(buffers_, found, &BufferSpec::name); ++i) {
      found = fmt::format("{}{}", name, i);
    }
    return found;
  }

  /// Chooses the buffer whose elements are the items of a chunk. Prefers, in this order, one that
  /// is copied, one that is shorter in the last chunk, one that is copied in, and the largest.
  void choose_items() {
    const auto rank = [&](std::uint32_t buffer) {
      const ChunkBuffer& sizes = chunked_.chunks.buffers[buffer];
      return std::tuple{sizes.copied_in || sizes.copied_out, sizes.bytes != sizes.last_bytes,
                        sizes.copied_in, elements_in(buffer).value};
    };
    std::uint32_t chosen = 0;
    for (std::uint32_t i = 1; i < chunked_.chunks.buffers.size(); ++i) {
      if (rank(i) > rank(chosen)) chosen = i;
    }
    items_ = elements_in(chosen);
  }

  void put_count(std::uint32_t buffer) {
    const ChunkNumber elements = elements_in(buffer);
    const ChunkBuffer& sizes = chunked_.chunks.buffers[buffer];
    auto count = expression_of(elements, items_);
    // Scratch memory may be as large in the last chunk as in the others.
    if (!count && !sizes.copied_in && !sizes.copied_out) count = fmt::to_string(elements.value);
    if (!count) refuse_size(buffer, elements);
    buffers_[buffer].count = *count;
  }

  [[noreturn]] void refuse_size(std::uint32_t buffer, ChunkNumber elements) const {
    const auto stage = std::ranges::find_if(chunked_.chunks.stages, [&](const ChunkStage& one) {
      return includes(one.buffers, buffer);
    });
    chunked_.refuse_last(
        *stage, fmt::format("no expression of n gives {} elements for n = {} and {} for n = {}, in "
                            "the last chunk",
                            elements.value, items_.value, elements.last, items_.last));
  }

  const ChunkedIteration& chunked_;
  std::vector<BufferSpec>& buffers_;
  ChunkNumber items_;
};

void put_stages(const ChunkedIteration& chunked, ChunkNumber items, RecordedPipeline& made) {
  Pipeline& pipeline = made.pipeline;
  std::set<std::uint32_t> written;
  for (const ChunkStage& stage : chunked.chunks.stages) {
    const ChunkOperation& first = chunked.first_of(stage);
    StageSpec& spec = pipeline.stages.emplace_back();
    spec.stage = first.stage;
    if (first.stage == Stage::transform) {
      PipelineKernel launched = pipeline_kernel(chunked, stage, items, written);
      spec.kernel = static_cast<std::uint32_t>(pipeline.kernels.size());
      spec.name = launched.kernel.name;
      pipeline.kernels.push_back(std::move(launched.kernel));
      made.unknown.push_back(std::move(launched.unknown));
    } else {
      spec.buffer = stage.buffers.front();
      spec.value = first.value;
      spec.name = fmt::format("{} {}", name_of(first.stage), pipeline.buffers[spec.buffer].name);
    }
    written.insert(stage.buffers.begin(), stage.buffers.end());
  }
}

/// Checks the rules that every pipeline file must keep; their messages name the place in the file.
void require_sound_pipeline(const Pipeline& pipeline) try {
  require_at_most(max_chunks, pipeline.chunks, "chunks");
  require_sound(pipeline);
} catch (const Misfit& error) {
  throw UsageError(fmt::format("as a pipeline file: {} {}",
                               error.place.empty() ? "" : error.place.substr(1) + ":", error.what));
}

}  // namespace

RecordedPipeline recorded_pipeline(const ApplicationRecording& recording) {
  const ChunkedIteration chunked(recording);
  RecordedPipeline made;
  made.name = name_of_program(recording.application);
  made.pageable =
      any_call(recording, [&](const RecordedCall& call) { return is_pageable(call, recording); });
  put_lanes(chunked, made);
  const ChunkNumber items = BufferMaker(chunked, made.pipeline.buffers).make();
  made.pipeline.items = items.value;
  made.pipeline.last_items = items.last;
  made.pipeline.chunks = chunked.chains.size();
  put_stages(chunked, items, made);
  require_sound_pipeline(made.pipeline);
  return made;
}

}  // namespace trilane
