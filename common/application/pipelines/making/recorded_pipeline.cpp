#include "common/application/pipelines/making/recorded_pipeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "common/application/pipelines/chunks/equal_chunks.hpp"
#include "common/application/pipelines/making/chunk_values.hpp"
#include "common/application/pipelines/making/item_expression.hpp"
#include "common/application/pipelines/making/parameter_types.hpp"
#include "common/gpu/modules/names/demangle.hpp"
#include "common/json/misfit.hpp"
#include "common/text/exit_code.hpp"
#include "common/text/quoting.hpp"
#include "common/workload/file/checks/pipeline_checks.hpp"
#include "common/workload/file/fields.hpp"
#include "common/workload/knobs.hpp"

namespace trilane {
namespace {

/// More than a pipeline file may have.
void require_at_most(std::size_t most, std::size_t count, const std::string& what) {
  if (count <= most) return;
  throw UsageError(fmt::format("{} {}; a pipeline file has at most {}", count, what, most));
}

std::string name_of_program(const std::string& command_line) {
  const std::string word = command_line.substr(0, command_line.find(' '));
  const std::string name = std::filesystem::path(word).filename();
  return name.empty() ? "recorded" : printable(name, most_name);
}

class PipelineMaker {
 public:
  explicit PipelineMaker(const ApplicationRecording& recording) : recording_(recording) {
    require_iteration();
    operations_ = chunk_operations(recording);
    if (operations_.empty()) throw UsageError("the iteration holds no copies, memsets or kernels");
    const MovedPlaces moved = moved_places(recording, operations_);
    chains_ = chunk_chains(recording, operations_, moved);
    chunks_ = equal_chunks(recording, operations_, moved, chains_);
    require_at_most(most_stages, chunks_.stages.size(), "operations in a chunk");
    require_at_most(most_buffers, chunks_.buffers.size(), "buffers in a chunk");
    for (const RecordedKernel& kernel : recording.kernels)
      types_.push_back(parameter_types(kernel));
  }

  RecordedPipeline made() {
    made_.name = name_of_program(recording_.application);
    Pipeline& pipeline = made_.pipeline;
    put_buffers();
    pipeline.chunks = chains_.size();
    for (const ChunkStage& stage : chunks_.stages) put_stage(stage);
    put_lanes();
    made_.pageable = std::ranges::any_of(operations_, [&](const ChunkOperation& operation) {
      return std::ranges::any_of(
          recording_.calls[operation.call].uses, [&](const UsedRange& range) {
            return recording_.memory[range.memory].kind == MemoryKind::pageable;
          });
    });
    require_sound_pipeline();
    return std::move(made_);
  }

 private:
  void require_iteration() const {
    if (recording_.found == Found::none) {
      throw UsageError("the recording holds no iteration; name its NVTX range with --iteration");
    }
  }

  const ChunkOperation& first_of(const ChunkStage& stage) const {
    return operations_[stage.operations.front()];
  }
  const RecordedCall& call_of(const ChunkStage& stage, std::size_t chunk) const {
    return recording_.calls[operations_[stage.operations[chunk]].call];
  }

  /// What the kernels' names say of it; bytes where they say nothing or it does not fit.
  Element element_of(std::uint32_t buffer) const {
    const ChunkBuffer& sizes = chunks_.buffers[buffer];
    for (const ChunkStage& stage : chunks_.stages) {
      const ChunkOperation& first = first_of(stage);
      if (first.stage != Stage::transform) continue;
      const auto& types = types_[recording_.calls[first.call].kernel];
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
    const std::uint64_t size = size_of(made_.pipeline.buffers[buffer].element);
    return {chunks_.buffers[buffer].bytes / size, chunks_.buffers[buffer].last_bytes / size};
  }

  void put_buffers() {
    for (std::uint32_t i = 0; i < chunks_.buffers.size(); ++i) {
      const ChunkBuffer& buffer = chunks_.buffers[i];
      BufferSpec& spec = made_.pipeline.buffers.emplace_back();
      spec.name = free_name(buffer.copied_in && buffer.copied_out ? "data"
                            : buffer.copied_in                    ? "in"
                            : buffer.copied_out                   ? "out"
                                                                  : "scratch");
      spec.element = element_of(i);
    }
    choose_items();
    for (std::uint32_t i = 0; i < chunks_.buffers.size(); ++i) put_count(i);
  }

  std::string free_name(const std::string& name) const {
    const auto& buffers = made_.pipeline.buffers;
    std::string found = name;
    for (int i = 2; std::ranges::find(buffers, found, &BufferSpec::name) != buffers.end(); ++i) {
      found = fmt::format("{}{}", name, i);
    }
    return found;
  }

  /// The items of a chunk are the elements of its largest buffer: one that is shorter in the last
  /// chunk before one that is not, one that is copied in before others.
  void choose_items() {
    const auto rank = [&](std::uint32_t buffer) {
      const ChunkBuffer& sizes = chunks_.buffers[buffer];
      return std::tuple{sizes.copied_in || sizes.copied_out, sizes.bytes != sizes.last_bytes,
                        sizes.copied_in, elements_in(buffer).value};
    };
    std::uint32_t chosen = 0;
    for (std::uint32_t i = 1; i < chunks_.buffers.size(); ++i) {
      if (rank(i) > rank(chosen)) chosen = i;
    }
    items_ = elements_in(chosen);
    made_.pipeline.items = items_.value;
    made_.pipeline.last_items = items_.last;
  }

  void put_count(std::uint32_t buffer) {
    const ChunkNumber elements = elements_in(buffer);
    const ChunkBuffer& sizes = chunks_.buffers[buffer];
    auto count = expression_of(elements, items_);
    // Scratch memory may be as large in the last chunk as in the others.
    if (!count && !sizes.copied_in && !sizes.copied_out) count = fmt::to_string(elements.value);
    if (!count) refuse_size(buffer, elements);
    made_.pipeline.buffers[buffer].count = *count;
  }

  [[noreturn]] void refuse_size(std::uint32_t buffer, ChunkNumber elements) const {
    const auto stage = std::ranges::find_if(chunks_.stages, [&](const ChunkStage& one) {
      return std::ranges::count(one.buffers, buffer) > 0;
    });
    refuse_call(recording_, operations_[stage->operations.back()].call,
                fmt::format("no expression of n gives {} elements for n = {} and {} for n = {}, in "
                            "the last chunk",
                            elements.value, items_.value, elements.last, items_.last));
  }

  void put_stage(const ChunkStage& stage) {
    const ChunkOperation& first = first_of(stage);
    StageSpec& spec = made_.pipeline.stages.emplace_back();
    spec.stage = first.stage;
    if (first.stage == Stage::transform) {
      spec.kernel = static_cast<std::uint32_t>(made_.pipeline.kernels.size());
      put_kernel(stage);
      spec.name = made_.pipeline.kernels.back().name;
    } else {
      spec.buffer = stage.buffers.front();
      spec.value = first.value;
      spec.name =
          fmt::format("{} {}", name_of(first.stage), made_.pipeline.buffers[spec.buffer].name);
      written_.insert(spec.buffer);
    }
  }

  void put_kernel(const ChunkStage& stage) {
    const RecordedCall& call = call_of(stage, 0);
    const RecordedKernel& recorded = recording_.kernels[call.kernel];
    require_at_most(most_arguments, recorded.parameters.size(),
                    fmt::format("arguments of kernel {}", qualified_name(recorded.name)));
    KernelSpec& kernel = made_.pipeline.kernels.emplace_back();
    kernel.name = printable(qualified_name(recorded.name), most_long_name);
    put_shape(stage, kernel);
    kernel.shared = fmt::to_string(call.shared_bytes);
    kernel.time_us = std::min(call.device_us.value_or(0), max_kernel_time_us);
    std::vector<bool>& unknown = made_.unknown.emplace_back();
    std::vector<Argument> pointers = pointers_of(stage);
    const ChunkValues values(recording_, operations_, items_);
    const std::vector<std::uint32_t>& places = first_of(stage).parameters;
    for (std::uint32_t i = 0; i < recorded.parameters.size(); ++i) {
      const auto pointer = std::ranges::find(places, i);
      std::optional<Argument> argument;
      Element element = Element::uint64;
      if (pointer != places.end()) {
        argument = pointers[static_cast<std::size_t>(pointer - places.begin())];
      } else {
        element = types_[call.kernel][i].element.value_or(integer_of(recorded.parameters[i].bytes));
        argument = values.argument(stage, i, element);
      }
      unknown.push_back(!argument);
      Argument missing{.expression = {}, .element = element};
      kernel.arguments.push_back(argument ? std::move(*argument) : std::move(missing));
    }
  }

  void put_shape(const ChunkStage& stage, KernelSpec& kernel) {
    const RecordedCall& call = call_of(stage, 0);
    const RecordedCall& last = call_of(stage, chains_.size() - 1);
    std::size_t dimensions = 3;
    while (dimensions > 1 && call.grid[dimensions - 1] == 1 && last.grid[dimensions - 1] == 1 &&
           call.block[dimensions - 1] == 1) {
      --dimensions;
    }
    for (std::size_t i = 0; i < dimensions; ++i) {
      const ChunkNumber blocks{call.grid[i], last.grid[i]};
      const auto grid = i == 0 ? grid_expression_of(blocks, items_, call.block[i])
                               : expression_of(blocks, items_);
      if (!grid) {
        refuse_call(recording_, operations_[stage.operations.back()].call,
                    fmt::format("no expression of n gives a grid of {} for n = {} and of {} for "
                                "n = {}, in the last chunk",
                                blocks.value, items_.value, blocks.last, items_.last));
      }
      kernel.grid.push_back(*grid);
      kernel.block.push_back(fmt::to_string(call.block[i]));
    }
  }

  /// By place; notes what the kernel may have written.
  std::vector<Argument> pointers_of(const ChunkStage& stage) {
    const ChunkOperation& first = first_of(stage);
    const auto& types = types_[recording_.calls[first.call].kernel];
    std::vector<Argument> arguments;
    for (std::size_t i = 0; i < stage.buffers.size(); ++i) {
      const std::uint32_t buffer = stage.buffers[i];
      const bool is_const = types[first.parameters[i]].is_const,
                 written = written_.contains(buffer);
      if (is_const && !written) {
        refuse_call(recording_, first.call,
                    fmt::format("argument {} points to memory that it only reads and that nothing "
                                "in its chunk has written",
                                first.parameters[i] + 1));
      }
      arguments.push_back({.kind = is_const  ? ArgumentKind::in
                                   : written ? ArgumentKind::inout
                                             : ArgumentKind::out,
                           .buffer = buffer,
                           .expression = {}});
    }
    written_.insert(stage.buffers.begin(), stage.buffers.end());
    return arguments;
  }

  void put_lanes() {
    std::set<std::uint32_t> streams;
    bool one_each = true, in_a_row = true;
    for (const ChunkChain& chain : chains_) {
      for (std::size_t i = 0; i < chain.size(); ++i) {
        const std::uint32_t stream = recording_.calls[operations_[chain[i]].call].stream;
        streams.insert(stream);
        one_each = one_each && stream == recording_.calls[operations_[chain[0]].call].stream;
        in_a_row = in_a_row && chain[i] == chain[0] + i;
      }
    }
    std::size_t lanes = streams.size();
    // With a stream for each engine, as many chunks are under way as have memory.
    if (!one_each) lanes = memories();
    made_.lanes =
        static_cast<std::uint32_t>(std::min({lanes, chains_.size(), std::size_t{max_lanes}}));
    made_.order = in_a_row ? Order::depth_first : Order::breadth_first;
  }

  /// How many chunks have memory of their own, by the first place that they use.
  std::size_t memories() const {
    std::set<DevicePlace> places;
    for (const ChunkChain& chain : chains_) places.insert(operations_[chain[0]].places.front());
    return places.size();
  }

  /// What remains are rules of the file: words of its own tell of them.
  void require_sound_pipeline() const try {
    require_at_most(max_chunks, chains_.size(), "chunks");
    require_sound(made_.pipeline);
  } catch (const Misfit& error) {
    throw UsageError(fmt::format("as a pipeline file: {} {}",
                                 error.place.empty() ? "" : error.place.substr(1) + ":",
                                 error.what));
  }

  const ApplicationRecording& recording_;
  std::vector<ChunkOperation> operations_;
  std::vector<ChunkChain> chains_;
  EqualChunks chunks_;
  std::vector<std::vector<ParameterType>> types_;  ///< by kernel
  ChunkNumber items_;
  std::set<std::uint32_t> written_;  ///< buffers, by the stages so far
  RecordedPipeline made_;
};

}  // namespace

RecordedPipeline recorded_pipeline(const ApplicationRecording& recording) {
  return PipelineMaker(recording).made();
}

}  // namespace trilane
