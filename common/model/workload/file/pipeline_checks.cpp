#include "common/model/workload/file/pipeline_checks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/base/json/misfit.hpp"
#include "common/model/workload/file/data_checks.hpp"
#include "common/model/workload/knobs.hpp"
#include "common/model/workload/pipeline/conflicts.hpp"
#include "common/model/workload/pipeline/element_range.hpp"
#include "common/model/workload/pipeline/expression.hpp"
#include "common/model/workload/pipeline/extents.hpp"

namespace trilane {
namespace {

void require_order(const Pipeline& pipeline) {
  const auto before = stages_before(needed_order(pipeline));
  for (std::size_t i = 0; i < pipeline.stages.size(); ++i) {
    const StageSpec& stage = pipeline.stages[i];
    for (std::size_t j = i; j-- > 0;) {
      const StageSpec& earlier = pipeline.stages[j];
      if ((before[i] >> j & 1) != 0 || !conflict(pipeline, earlier, stage)) continue;
      throw Misfit{
          step("stages") + step(i) + step("after"),
          fmt::format("\"after\" leaves out {}, which uses the same data; add it, or leave "
                      "\"after\" out",
                      as_written(earlier.name))};
    }
  }
}

void require_chunk_type(const Pipeline& pipeline, const Argument& argument) {
  const bool number = argument.kind == ArgumentKind::chunk_number;
  if (!number && argument.kind != ArgumentKind::chunk_offset) return;
  const std::uint64_t most = (pipeline.chunks - 1) * (number ? 1 : pipeline.items);
  if (most <= most_whole(argument.element)) return;
  throw Misfit{step("type"),
               fmt::format("the {} of the last chunk is {}, which does not fit in {}; use uint64",
                           number ? "number" : "offset", most, name_of(argument.element))};
}

void require_chunk_types(const Pipeline& pipeline, const KernelSpec& kernel) {
  within("arguments", [&] {
    for (std::size_t i = 0; i < kernel.arguments.size(); ++i) {
      within(i, [&] { require_chunk_type(pipeline, kernel.arguments[i]); });
    }
  });
}

void require_types(const Pipeline& pipeline) {
  for (std::size_t i = 0; i < pipeline.stages.size(); ++i) {
    const StageSpec& stage = pipeline.stages[i];
    if (stage.stage != Stage::transform) continue;
    within("stages", [&] {
      within(i, [&] { require_chunk_types(pipeline, pipeline.kernels[stage.kernel]); });
    });
  }
  if (pipeline.fused) within("fused", [&] { require_chunk_types(pipeline, *pipeline.fused); });
}

void require_extents(const Pipeline& pipeline) {
  std::uint64_t bytes = 0;
  for (const std::uint64_t of_buffer : placed_extents(pipeline, pipeline.items).bytes) {
    bytes += of_buffer;
  }
  if (bytes > most_extent / pipeline.chunks) {
    throw Misfit{step("chunks"), fmt::format("{} chunks of {} bytes have more than 2^60 bytes; use "
                                             "fewer or smaller chunks",
                                             pipeline.chunks, bytes)};
  }
  if (pipeline.last_items == pipeline.items) return;
  try {
    placed_extents(pipeline, pipeline.last_items);
  } catch (Misfit& error) {
    error.what += fmt::format(" (in the last chunk, of n = {})", pipeline.last_items);
    throw;
  }
}

}  // namespace

void require_sound(const Pipeline& pipeline) {
  if (pipeline.items > most_extent / pipeline.chunks) {
    throw Misfit{step("items"), fmt::format("{} chunks of {} items have more than 2^60 items; use "
                                            "fewer or smaller chunks",
                                            pipeline.chunks, pipeline.items)};
  }
  if (pipeline.chunks * pipeline.stages.size() > max_operations) {
    throw Misfit{step("chunks"),
                 fmt::format("{} chunks of {} stages have more than {} stages in all; use fewer, "
                             "larger chunks",
                             pipeline.chunks, pipeline.stages.size(), max_operations)};
  }
  require_data(pipeline);
  require_order(pipeline);
  require_types(pipeline);
  require_extents(pipeline);
}

}  // namespace trilane
