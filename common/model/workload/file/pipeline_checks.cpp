#include "common/model/workload/file/pipeline_file.hpp"

#include "common/base/json/misfit.hpp"
#include "common/base/text/size.hpp"
#include "common/model/workload/knobs.hpp"
#include "common/model/workload/pipeline/conflicts.hpp"
#include "common/model/workload/pipeline/expression.hpp"

namespace trilane {
namespace {

[[noreturn]] void refuse_stage(std::size_t stage, const std::string& key, const std::string& what) {
  throw Misfit{step("stages") + step(stage) + key, what};
}

void require_copied_once(const Pipeline& pipeline, std::size_t at) {
  const StageSpec& stage = pipeline.stages[at];
  for (std::size_t i = 0; i < at; ++i) {
    const StageSpec& other = pipeline.stages[i];
    if (other.stage != stage.stage || other.buffer != stage.buffer) continue;
    refuse_stage(
        at, step(name_of(stage.stage)),
        fmt::format("{} has a \"{}\" stage already, stage {}; copy it once, or use another buffer",
                    as_written(pipeline.buffers[stage.buffer].name), name_of(stage.stage), i + 1));
  }
}

std::string key_of(const Pipeline& pipeline, const StageSpec& stage, std::uint32_t buffer) {
  if (stage.stage != Stage::transform) return step(name_of(stage.stage));
  const std::vector<Argument>& arguments = pipeline.kernels[stage.kernel].arguments;
  const auto read = std::ranges::find_if(arguments, [&](const Argument& argument) {
    return is_read(argument.kind) && argument.buffer == buffer;
  });
  return step("arguments") + step(static_cast<std::size_t>(read - arguments.begin())) +
         step(name_of(read->kind));
}

void require_written_first(const Pipeline& pipeline) {
  std::vector<bool> written(pipeline.buffers.size(), false);
  for (std::size_t i = 0; i < pipeline.stages.size(); ++i) {
    const StageSpec& stage = pipeline.stages[i];
    const bool copies = stage.stage == Stage::copy_in || stage.stage == Stage::copy_out;
    if (copies) require_copied_once(pipeline, i);
    const std::vector<BufferUse> uses = uses_of(pipeline, stage);
    for (const BufferUse& use : uses) {
      if (!use.reads || written[use.buffer]) continue;
      refuse_stage(i, key_of(pipeline, stage, use.buffer),
                   fmt::format("{} is read before any stage writes it; put a \"copy in\", "
                               "\"memset\" or \"kernel\" that writes it before",
                               as_written(pipeline.buffers[use.buffer].name)));
    }
    for (const BufferUse& use : uses) written[use.buffer] = true;
  }
}

void require_used(const Pipeline& pipeline, std::uint32_t index) {
  const BufferSpec& buffer = pipeline.buffers[index];
  const bool used = std::ranges::any_of(pipeline.stages, [&](const StageSpec& stage) {
    return std::ranges::any_of(uses_of(pipeline, stage),
                               [&](const BufferUse& use) { return use.buffer == index; });
  });
  if (!used) misfit("no stage uses it; leave it out, or name it in a stage");
  if (buffer.fill != Fill::random && !is_copied(pipeline, Stage::copy_in, index)) {
    throw Misfit{step("fill"),
                 "\"fill\" is for buffers that are copied in, and this one is not; leave it out, "
                 "or add a \"copy in\" stage"};
  }
  const char* const key = !buffer.reference.empty()          ? "reference"
                          : buffer.check == Check::tolerance ? "tolerance"
                          : buffer.check == Check::none      ? "check"
                                                             : nullptr;
  if (key && !is_copied(pipeline, Stage::copy_out, index)) {
    throw Misfit{step(key), fmt::format("\"{}\" is for buffers that are copied out, and this one "
                                        "is not; leave it out, or add a \"copy out\" stage",
                                        key)};
  }
}

void require_host_buffers(const Pipeline& pipeline, const Argument& argument) {
  const auto require = [&](Stage way) {
    if (is_copied(pipeline, way, argument.buffer)) return;
    throw Misfit{step(name_of(argument.kind)),
                 fmt::format("{} has no \"{}\" stage; name a buffer that has one, because a fused "
                             "kernel works on the host's memory",
                             as_written(pipeline.buffers[argument.buffer].name), name_of(way))};
  };
  if (is_read(argument.kind)) require(Stage::copy_in);
  if (is_written(argument.kind)) require(Stage::copy_out);
}

void require_fused(const Pipeline& pipeline, const KernelSpec& fused) {
  std::vector<bool> written(pipeline.buffers.size(), false);
  within("arguments", [&] {
    within_each(fused.arguments, [&](const Argument& argument) {
      require_host_buffers(pipeline, argument);
      if (is_written(argument.kind)) written[argument.buffer] = true;
    });
    for (std::uint32_t i = 0; i < written.size(); ++i) {
      if (written[i] || !is_copied(pipeline, Stage::copy_out, i)) continue;
      const std::string name = as_written(pipeline.buffers[i].name);
      misfit("the fused kernel does not write {}, which the stages copy out; add {{\"out\": {}}}",
             name, name);
    }
  });
}

/// Throws a Misfit with its place in the file if a buffer is unused, copied twice, read before it
/// is written, or filled or checked in vain; if nothing is copied out, or if a fused kernel does
/// not write all outputs.
void require_data(const Pipeline& pipeline) {
  require_written_first(pipeline);
  const bool has_output = std::ranges::any_of(
      pipeline.stages, [](const StageSpec& stage) { return stage.stage == Stage::copy_out; });
  if (!has_output) {
    throw Misfit{step("stages"),
                 "\"stages\" has no \"copy out\", so nothing can be checked; add for instance "
                 "{\"copy out\": \"result\"}"};
  }
  within("buffers", [&] {
    for (std::uint32_t i = 0; i < pipeline.buffers.size(); ++i) {
      within(pipeline.buffers[i].name, [&] { require_used(pipeline, i); });
    }
  });
  if (pipeline.fused) within("fused", [&] { require_fused(pipeline, *pipeline.fused); });
}

void require_order(const Pipeline& pipeline) {
  const auto before = stages_before(needed_order(pipeline));
  for (std::size_t i = 0; i < pipeline.stages.size(); ++i) {
    const StageSpec& stage = pipeline.stages[i];
    for (std::size_t j = i; j-- > 0;) {
      const StageSpec& earlier = pipeline.stages[j];
      if ((before[i] >> j & 1) != 0 || !conflict(pipeline, earlier, stage)) continue;
      throw Misfit{
          step("stages") + step(i) + step("after"),
          fmt::format(
              "\"after\" leaves out {}, which uses the same data; add it, or leave \"after\" out",
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
    within_each(kernel.arguments,
                [&](const Argument& argument) { require_chunk_type(pipeline, argument); });
  });
}

void require_types(const Pipeline& pipeline) {
  within("stages", [&] {
    within_each(pipeline.stages, [&](const StageSpec& stage) {
      if (stage.stage != Stage::transform) return;
      require_chunk_types(pipeline, pipeline.kernels[stage.kernel]);
    });
  });
  if (pipeline.fused) within("fused", [&] { require_chunk_types(pipeline, *pipeline.fused); });
}

void require_extents(const Pipeline& pipeline) {
  std::uint64_t bytes = 0;
  for (const std::uint64_t of_buffer : placed_extents(pipeline, pipeline.items).bytes) {
    bytes += of_buffer;
  }
  if (bytes > max_size / pipeline.chunks) {
    throw Misfit{
        step("chunks"),
        fmt::format("{} chunks of {} bytes have more than 2^60 bytes; use fewer or smaller chunks",
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
  if (pipeline.items > max_size / pipeline.chunks) {
    throw Misfit{
        step("items"),
        fmt::format("{} chunks of {} items have more than 2^60 items; use fewer or smaller chunks",
                    pipeline.chunks, pipeline.items)};
  }
  if (pipeline.chunks * pipeline.stages.size() > max_operations) {
    throw Misfit{
        step("chunks"),
        fmt::format(
            "{} chunks of {} stages have more than {} stages in all; use fewer, larger chunks",
            pipeline.chunks, pipeline.stages.size(), max_operations)};
  }
  require_data(pipeline);
  require_order(pipeline);
  require_types(pipeline);
  require_extents(pipeline);
}

}  // namespace trilane
