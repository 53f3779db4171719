#include "common/model/workload/knobs.hpp"

#include "common/base/text/exit_code.hpp"
#include "common/base/text/size.hpp"
#include "common/model/workload/pipeline/expression.hpp"

namespace trilane {
namespace {

std::uint64_t input_bytes(const Pipeline& pipeline, std::uint64_t items) {
  std::vector<NamedValue> names{{"n", items}};
  for (const NamedSize& size : pipeline.sizes) {
    names.push_back({size.name, value_of(size.value, names)});
  }
  std::uint64_t bytes = 0;
  for (const StageSpec& stage : pipeline.stages) {
    if (stage.stage != Stage::copy_in) continue;
    const BufferSpec& buffer = pipeline.buffers[stage.buffer];
    const std::uint64_t count = value_of(buffer.count, names);
    if (count > max_size) throw UsageError("more than 2^60 elements");
    bytes += count * size_of(buffer.element);
  }
  return bytes;
}

bool fits(const Pipeline& pipeline, std::uint64_t items, std::uint64_t bytes) try {
  return input_bytes(pipeline, items) <= bytes;
} catch (const UsageError&) {
  return false;  // beyond a limit
}

/// Returns the most items whose input is at most that large; inputs grow with the items.
std::uint64_t items_for(const Pipeline& pipeline, const char* option, std::uint64_t bytes) {
  if (input_bytes(pipeline, pipeline.items) == 0) {
    refuse(option, format_bytes(bytes),
           "{} copies nothing in that could have this size; change its \"items\"", pipeline.file);
  }
  std::uint64_t least = 0, beyond = max_size;
  while (beyond - least > 1) {
    const std::uint64_t middle = least + (beyond - least) / 2;
    (fits(pipeline, middle, bytes) ? least : beyond) = middle;
  }
  if (least == 0) {
    refuse(option, format_bytes(bytes), "is less than the input of one item of {}; give more",
           pipeline.file);
  }
  return least;
}

void forbid(const Pipeline& pipeline, bool given, const char* option, const char* what) {
  if (!given) return;
  throw UsageError("{}: {} states {}; change it there, or leave the option out", option,
                   pipeline.file, what);
}

void cut(Pipeline& pipeline, std::uint64_t total, std::uint64_t items) {
  pipeline.items = std::min(items, total);
  pipeline.chunks = (total + pipeline.items - 1) / pipeline.items;
  pipeline.last_items = total - (pipeline.chunks - 1) * pipeline.items;
  if (pipeline.chunks > max_chunks) {
    throw UsageError("{}: {} items in chunks of {} make {} chunks; at most {}", pipeline.file,
                     total, pipeline.items, pipeline.chunks, max_chunks);
  }
}

void resize(Pipeline& pipeline, const Knobs& knobs) {
  std::uint64_t items = pipeline.items;
  if (knobs.chunk_size) items = items_for(pipeline, "--chunk-size", *knobs.chunk_size);
  if (knobs.size) {
    const std::uint64_t chunk = input_bytes(pipeline, items);
    const std::uint64_t full = chunk == 0 ? 0 : *knobs.size / chunk;
    const std::uint64_t rest = *knobs.size - full * chunk;
    std::uint64_t total = full * items;
    if (full == 0 || (rest > 0 && fits(pipeline, 1, rest))) {
      total += items_for(pipeline, "--size", rest);
    }
    if (knobs.chunks) items = (total + *knobs.chunks - 1) / *knobs.chunks;
    cut(pipeline, total, items);
  } else if (knobs.chunks || knobs.chunk_size) {
    cut(pipeline, knobs.chunks.value_or(pipeline.chunks) * items, items);
  }
  if (knobs.chunks && *knobs.chunks != pipeline.chunks) {
    throw UsageError("--chunks {}: the items of {} make {} chunks of {}; use that number",
                     *knobs.chunks, pipeline.file, pipeline.chunks, pipeline.items);
  }
}

/// Kernels need every element at a multiple of its size, wherever a chunk starts.
void check_gap(const Workload& workload) {
  std::uint64_t largest = 1;
  for (const BufferSpec& buffer : workload.pipeline->buffers) {
    largest = std::max(largest, size_of(buffer.element));
  }
  if (workload.gap() % largest == 0) return;
  const std::uint64_t gap = (workload.gap() / largest + 1) * largest;
  refuse("--stride", std::to_string(*workload.stride),
         "leaves {} bytes between chunks of {}, and its elements of {} bytes would not "
         "be aligned; give {}",
         workload.gap(), workload.pipeline->file, largest, workload.chunk_bytes + gap);
}

}  // namespace

Workload turned_pipeline(const Workload& workload, const Knobs& knobs) {
  Pipeline pipeline = *workload.pipeline;
  forbid(pipeline, knobs.result_size.has_value(), "--result-size", "the size of its results");
  forbid(pipeline, knobs.depth.has_value(), "--depth", "its kernels");
  forbid(pipeline, knobs.rounds.has_value(), "--rounds", "its kernels");
  resize(pipeline, knobs);
  Workload turned = workload_of(workload.name, std::move(pipeline));
  turned.modified = workload.modified;
  turned.lanes = knobs.lanes.value_or(workload.lanes);
  turned.order = knobs.order.value_or(workload.order);
  turned.host_memory = workload.host_memory;
  turned.pool = workload.pool;
  turned.stride = stride_of(turned, knobs, workload.gap());
  check_gap(turned);
  if (turned.operations() > max_operations) {
    throw UsageError("{}: {} operations a pass; at most {}, so use fewer chunks",
                     turned.pipeline->file, turned.operations(), max_operations);
  }
  return turned;
}

std::string flaw_of(const Pipeline& p) try {
  const auto outside = [](std::uint64_t value, std::uint64_t least, std::uint64_t most) {
    return value < least || value > most;
  };
  if (outside(p.chunks, 1, max_chunks)) return fmt::format("has {} chunks", p.chunks);
  if (outside(p.items, 1, max_size)) return fmt::format("has {} items", p.items);
  if (outside(p.last_items, 1, p.items)) return fmt::format("has {} last items", p.last_items);
  if (outside(p.buffers.size(), 1, most_buffers)) return "has too few or too many buffers";
  if (outside(p.stages.size(), 1, most_stages)) return "has too few or too many stages";
  std::size_t kernels = 0;
  for (std::size_t place = 0; place < p.stages.size(); ++place) {
    const StageSpec& stage = p.stages[place];
    const bool is_kernel = stage.stage == Stage::transform;
    if (stage.buffer >= p.buffers.size()) return "has a stage of an unknown buffer";
    if (is_kernel && stage.kernel != kernels++) return "has kernels out of order";
    for (const std::uint32_t other : stage.after) {
      if (other >= place) return "has a stage after a later one";
    }
  }
  if (kernels != p.kernels.size()) return "has kernels without a stage";
  std::vector<KernelSpec> all = p.kernels;
  if (p.fused) all.push_back(*p.fused);
  for (const KernelSpec& kernel : all) {
    if (kernel.arguments.size() > most_arguments) return "has a kernel of too many arguments";
    for (const Argument& argument : kernel.arguments) {
      if (argument.buffer >= p.buffers.size()) return "has an argument of an unknown buffer";
    }
  }
  extents_of(p, p.items);
  extents_of(p, p.last_items);
  return "";
} catch (const UsageError& error) {
  return fmt::format("has an expression without a value: {}", error.what());
}

}  // namespace trilane
