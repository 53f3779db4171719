#include "common/model/workload/buffer_layout.hpp"

#include "common/model/workload/pipeline/conflicts.hpp"

namespace trilane {
namespace {

std::uint64_t round_up(std::uint64_t value, std::uint64_t to) { return (value + to - 1) / to * to; }

/// A region of host memory starts on a page, as if it were the only one.
constexpr std::uint64_t page = 4096;

struct Sizes {
  std::vector<std::uint64_t> full, last;
};

Sizes sizes_of(const Workload& workload) {
  if (workload.pipeline) {
    return {extents_of(*workload.pipeline, workload.pipeline->items).bytes,
            extents_of(*workload.pipeline, workload.pipeline->last_items).bytes};
  }
  const Chunk last = workload.chunk(workload.chunks() - 1);
  return {{workload.chunk_bytes, workload.result_bytes}, {last.in_bytes, last.out_bytes}};
}

bool is_copied(const Workload& workload, std::uint32_t buffer, Stage way) {
  if (!workload.pipeline) return buffer == (way == Stage::copy_in ? own_input : own_result);
  return is_copied(*workload.pipeline, way, buffer);
}

std::uint64_t place_on_host(std::uint64_t& end, const BufferPlace& place, std::uint32_t chunks) {
  const std::uint64_t start = end == 0 ? 0 : round_up(end, page);
  end = start + (chunks - 1) * place.stride + place.last_bytes;
  return start;
}

/// Inputs come first, so that a pool can give them separate memory.
void place_on_device(Layout& layout) {
  for (const bool inputs : {true, false}) {
    for (BufferPlace& place : layout.buffers) {
      if (place.in_start.has_value() != inputs) continue;
      place.scratch_offset = layout.scratch_bytes;
      layout.scratch_bytes += round_up(place.bytes, scratch_alignment);
    }
    if (inputs) layout.split = layout.scratch_bytes;
  }
}

}  // namespace

Layout layout_of(const Workload& workload) {
  const Sizes sizes = sizes_of(workload);
  Layout layout{.chunks = workload.chunks()};
  for (std::uint32_t buffer = 0; buffer < sizes.full.size(); ++buffer) {
    BufferPlace place{.bytes = sizes.full[buffer],
                      .last_bytes = sizes.last[buffer],
                      .stride = sizes.full[buffer] + workload.gap()};
    if (is_copied(workload, buffer, Stage::copy_in)) {
      place.in_start = place_on_host(layout.in_bytes, place, layout.chunks);
    }
    if (is_copied(workload, buffer, Stage::copy_out)) {
      place.out_start = place_on_host(layout.out_bytes, place, layout.chunks);
    }
    layout.buffers.push_back(place);
  }
  place_on_device(layout);
  layout.in_bytes = round_up(layout.in_bytes, word_bytes);
  layout.out_bytes = round_up(layout.out_bytes, word_bytes);
  return layout;
}

std::uint64_t pitch_of(const Workload& workload, const BufferPlace& place) {
  return workload.pipeline ? round_up(place.bytes, scratch_alignment) : place.bytes;
}

std::uint32_t copies_together(const Workload& workload, const BufferPlace& place) {
  const bool side_by_side = place.stride == place.bytes && pitch_of(workload, place) == place.bytes;
  if (side_by_side || workload.chunks() == 1) return 1;
  return place.last_bytes == place.bytes ? 1 : 2;
}

Workload workload_of(std::string name, Pipeline pipeline) {
  Workload workload{.name = std::move(name), .pipeline = std::move(pipeline)};
  const Layout layout = layout_of(workload);
  for (const StageSpec& stage : workload.pipeline->stages) {
    const BufferPlace& place = layout.buffers[stage.buffer];
    const std::uint64_t all = (layout.chunks - 1) * place.bytes + place.last_bytes;
    switch (stage.stage) {
      case Stage::copy_in:
        workload.chunk_bytes += place.bytes;
        workload.bytes += all;
        break;
      case Stage::copy_out: workload.result_bytes += place.bytes; break;
      case Stage::clear:
      case Stage::transform: break;
    }
  }
  workload.depth = workload.stages().kernels;
  return workload;
}

std::uint64_t Workload::result_total() const {
  if (!pipeline) return (chunks() - 1) * result_bytes + chunk(chunks() - 1).out_bytes;
  const Layout layout = layout_of(*this);
  std::uint64_t total = 0;
  for (const StageSpec& stage : pipeline->stages) {
    if (stage.stage != Stage::copy_out) continue;
    const BufferPlace& place = layout.buffers[stage.buffer];
    total += (layout.chunks - 1) * place.bytes + place.last_bytes;
  }
  return total;
}

std::uint64_t Workload::scratch_bytes() const { return layout_of(*this).scratch_bytes; }

std::uint32_t allocations_per_chunk(const Layout& layout, const PoolPolicy& policy) {
  const bool both = layout.split > 0 && layout.split < layout.scratch_bytes;
  return both ? policy.allocations : 1;
}

std::uint64_t allocations_of_pass(const Workload& workload, const PoolPolicy& policy) {
  const Layout layout = layout_of(workload);
  return std::uint64_t{layout.chunks} * allocations_per_chunk(layout, policy);
}

}  // namespace trilane
