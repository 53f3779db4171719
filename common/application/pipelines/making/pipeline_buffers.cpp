#include "common/application/pipelines/making/pipeline_buffers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace trilane {
namespace {

class BufferMaker {
 public:
  explicit BufferMaker(const ChunkedIteration& chunked) : chunked_(chunked) {}

  PipelineBuffers made() {
    for (std::uint32_t i = 0; i < chunked_.chunks.buffers.size(); ++i) {
      const ChunkBuffer& buffer = chunked_.chunks.buffers[i];
      BufferSpec& spec = made_.buffers.emplace_back();
      spec.name = free_name(buffer.copied_in && buffer.copied_out ? "data"
                            : buffer.copied_in                    ? "in"
                            : buffer.copied_out                   ? "out"
                                                                  : "scratch");
      spec.element = element_of(i);
    }
    choose_items();
    for (std::uint32_t i = 0; i < chunked_.chunks.buffers.size(); ++i) put_count(i);
    return std::move(made_);
  }

 private:
  /// Returns the buffer's type by the kernels' names; bytes if they say nothing or it does not fit.
  Element element_of(std::uint32_t buffer) const {
    const ChunkBuffer& sizes = chunked_.chunks.buffers[buffer];
    for (const ChunkStage& stage : chunked_.chunks.stages) {
      const ChunkOperation& first = chunked_.first_of(stage);
      if (first.stage != Stage::transform) continue;
      const auto& types = chunked_.types[chunked_.recording.calls[first.call].kernel];
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
    const std::uint64_t size = size_of(made_.buffers[buffer].element);
    return {sizes.bytes / size, sizes.last_bytes / size};
  }

  std::string free_name(const std::string& name) const {
    const auto& buffers = made_.buffers;
    std::string found = name;
    for (int i = 2; std::ranges::find(buffers, found, &BufferSpec::name) != buffers.end(); ++i) {
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
    made_.items = elements_in(chosen);
  }

  void put_count(std::uint32_t buffer) {
    const ChunkNumber elements = elements_in(buffer);
    const ChunkBuffer& sizes = chunked_.chunks.buffers[buffer];
    auto count = expression_of(elements, made_.items);
    // Scratch memory may be as large in the last chunk as in the others.
    if (!count && !sizes.copied_in && !sizes.copied_out) count = fmt::to_string(elements.value);
    if (!count) refuse_size(buffer, elements);
    made_.buffers[buffer].count = *count;
  }

  [[noreturn]] void refuse_size(std::uint32_t buffer, ChunkNumber elements) const {
    const auto stage = std::ranges::find_if(chunked_.chunks.stages, [&](const ChunkStage& one) {
      return std::ranges::count(one.buffers, buffer) > 0;
    });
    chunked_.refuse_last(
        *stage, fmt::format("no expression of n gives {} elements for n = {} and {} for n = {}, in "
                            "the last chunk",
                            elements.value, made_.items.value, elements.last, made_.items.last));
  }

  const ChunkedIteration& chunked_;
  PipelineBuffers made_;
};

}  // namespace

PipelineBuffers pipeline_buffers(const ChunkedIteration& chunked) {
  return BufferMaker(chunked).made();
}

}  // namespace trilane
