// Converts a kernel's numbers to arguments of a pipeline file.
#pragma once

#include <optional>

#include "common/application/pipelines/chunks/equal_chunks.hpp"
#include "common/application/pipelines/making/item_expression.hpp"
#include "common/model/workload/pipeline/pipeline.hpp"

namespace trilane {

class ChunkValues {
 public:
  ChunkValues(const ApplicationRecording& recording, const std::vector<ChunkOperation>& operations,
              ChunkNumber items)
      : recording_(recording), operations_(operations), items_(items) {}

  /// Returns what a parameter of the stage's kernel is: the items, an expression of them, the
  /// chunk's number or offset, or a constant. Absent if the recording does not hold its values or
  /// nothing matches them all. `element` is its type.
  std::optional<Argument> argument(const ChunkStage& stage, std::uint32_t parameter,
                                   Element element) const;

 private:
  std::optional<std::uint64_t> value(const ChunkStage& stage, std::size_t chunk,
                                     std::uint32_t parameter) const;
  std::optional<Argument> whole(const std::vector<std::uint64_t>& values, Element element) const;

  const ApplicationRecording& recording_;
  const std::vector<ChunkOperation>& operations_;
  ChunkNumber items_;
};

}  // namespace trilane
