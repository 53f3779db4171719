#include "common/application/pipelines/making/pipeline_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "common/application/pipelines/chunks/refused_call.hpp"
#include "common/application/pipelines/making/chunk_values.hpp"
#include "common/base/text/quoting.hpp"
#include "common/measure/gpu/images/demangle.hpp"
#include "common/model/workload/file/fields.hpp"
#include "common/model/workload/knobs.hpp"

namespace trilane {
namespace {

class KernelMaker {
 public:
  KernelMaker(const ChunkedIteration& chunked, const ChunkStage& stage, ChunkNumber items,
              const std::set<std::uint32_t>& written)
      : chunked_(chunked), stage_(stage), items_(items), written_(written) {}

  PipelineKernel made() const {
    const RecordedCall& call = chunked_.call_of(stage_, 0);
    const RecordedKernel& recorded = chunked_.recording.kernels[call.kernel];
    require_at_most(most_arguments, recorded.parameters.size(),
                    fmt::format("arguments of kernel {}", qualified_name(recorded.name)));
    PipelineKernel made;
    KernelSpec& kernel = made.kernel;
    kernel.name = printable(qualified_name(recorded.name), most_long_name);
    put_shape(kernel);
    kernel.shared = fmt::to_string(call.shared_bytes);
    kernel.time_us = std::min(call.device_us.value_or(0), max_kernel_time_us);
    std::vector<Argument> arguments = pointers();
    const ChunkValues values(chunked_.recording, chunked_.operations, items_);
    const std::vector<std::uint32_t>& places = chunked_.first_of(stage_).parameters;
    for (std::uint32_t i = 0; i < recorded.parameters.size(); ++i) {
      const auto pointer = std::ranges::find(places, i);
      std::optional<Argument> argument;
      Element element = Element::uint64;
      if (pointer != places.end()) {
        argument = arguments[static_cast<std::size_t>(pointer - places.begin())];
      } else {
        element = chunked_.types[call.kernel][i].element.value_or(
            integer_of(recorded.parameters[i].bytes));
        argument = values.argument(stage_, i, element);
      }
      made.unknown.push_back(!argument);
      Argument missing{.expression = {}, .element = element};
      kernel.arguments.push_back(argument ? std::move(*argument) : std::move(missing));
    }
    return made;
  }

 private:
  void put_shape(KernelSpec& kernel) const {
    const RecordedCall& call = chunked_.call_of(stage_, 0);
    const RecordedCall& last = chunked_.call_of(stage_, chunked_.chains.size() - 1);
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
        chunked_.refuse_last(
            stage_, fmt::format("no expression of n gives a grid of {} for n = {} and of {} for "
                                "n = {}, in the last chunk",
                                blocks.value, items_.value, blocks.last, items_.last));
      }
      kernel.grid.push_back(*grid);
      kernel.block.push_back(fmt::to_string(call.block[i]));
    }
  }

  /// Returns the pointers by place.
  std::vector<Argument> pointers() const {
    const ChunkOperation& first = chunked_.first_of(stage_);
    const auto& types = chunked_.types[chunked_.recording.calls[first.call].kernel];
    std::vector<Argument> arguments;
    for (std::size_t i = 0; i < stage_.buffers.size(); ++i) {
      const std::uint32_t buffer = stage_.buffers[i];
      const bool is_const = types[first.parameters[i]].is_const,
                 written = written_.contains(buffer);
      if (is_const && !written) {
        refuse_call(chunked_.recording, first.call,
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
    return arguments;
  }

  const ChunkedIteration& chunked_;
  const ChunkStage& stage_;
  ChunkNumber items_;
  const std::set<std::uint32_t>& written_;
};

}  // namespace

PipelineKernel pipeline_kernel(const ChunkedIteration& chunked, const ChunkStage& stage,
                               ChunkNumber items, const std::set<std::uint32_t>& written) {
  return KernelMaker(chunked, stage, items, written).made();
}

}  // namespace trilane
