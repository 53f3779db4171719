#include "common/model/workload/workload.hpp"

#include "common/base/text/size.hpp"
#include "common/base/text/words.hpp"

namespace trilane {
namespace {

constexpr std::uint64_t KiB = 1024, MiB = 1024 * KiB;

struct Preset {
  Workload workload;
  Promise promise;
};

Preset preset(std::string name, Promise promise, std::uint32_t chunks, std::uint64_t chunk_bytes,
              std::uint64_t result_bytes, std::uint32_t lanes, std::uint32_t depth,
              std::uint32_t rounds) {
  return {{.name = std::move(name),
           .bytes = chunks * chunk_bytes,
           .chunk_bytes = chunk_bytes,
           .result_bytes = result_bytes,
           .lanes = lanes,
           .depth = depth,
           .rounds = rounds},
          std::move(promise)};
}

constexpr double any = std::numeric_limits<double>::infinity();

// Rounds were tuned on an H200 to meet the promises: a kernel takes as long as its chunk's copy (21
// us) in balanced, ten times as long (40 us) in compute, and 1 ms in search. They are fixed, so
// that results of two machines are for the same work.
const std::vector<Preset>& promised() {
  using enum Promised;
  static const std::vector<Preset> all{
      preset("launch", {"host submission", submission, 0.9, any}, 64, 4 * KiB, 4 * KiB, 4, 4, 1),
      preset("transfer", {"PCIe, both directions", copies_both_ways, 5, any}, 32, 8 * MiB, 8 * MiB,
             4, 1, 1),
      preset("balanced", {"overlap of all engines", kernels, 0.75, 1.33}, 16, 1 * MiB, 1 * MiB, 4,
             1, 400),
      preset("compute", {"the SMs", kernels, 7.5, 13.3}, 8, 2 * MiB, 2 * MiB, 4, 1, 5000),
      preset("reduce", {"PCIe, one direction", copies_in, 5, any}, 16, 4 * MiB, 4 * KiB, 4, 1, 1),
      preset("search", {"long kernels side by side on two lanes", kernel_time, 500, 2000}, 2,
             16 * KiB, 4 * KiB, 2, 1, 112000),
  };
  return all;
}

}  // namespace

std::uint32_t Workload::chunks() const {
  switch (origin()) {
    case Origin::knobs: return static_cast<std::uint32_t>((bytes + chunk_bytes - 1) / chunk_bytes);
    case Origin::file: return static_cast<std::uint32_t>(pipeline->chunks);
    case Origin::recording: break;
  }
  return 1;
}

Chunk Workload::chunk(std::uint32_t index) const {
  const std::uint64_t in_bytes = std::min(chunk_bytes, bytes - index * chunk_bytes);
  return {.index = index,
          .lane = index % all_lanes(),
          .in_offset = index * (chunk_bytes + gap()),
          .in_bytes = in_bytes,
          .out_offset = index * (result_bytes + gap()),
          .out_bytes = std::min(result_bytes, in_bytes)};
}

StageCounts Workload::stages() const {
  if (!pipeline) return {.kernels = depth};
  const auto count = [&](Stage stage) {
    return static_cast<std::uint32_t>(
        std::ranges::count(pipeline->stages, stage, &StageSpec::stage));
  };
  return {.copies_in = count(Stage::copy_in),
          .clears = count(Stage::clear),
          .kernels = count(Stage::transform),
          .copies_out = count(Stage::copy_out)};
}

std::uint32_t Workload::gpu_count() const {
  return gpus ? std::min(static_cast<std::uint32_t>(gpus->size()), chunks()) : 1;
}

std::string Workload::shape() const {
  if (recorded) {
    return fmt::format("{}: {}, {} {}, {}, {} of the host on {}", counted(recorded->calls, "call"),
                       counted(recorded->kernels, "kernel"), recorded->copies,
                       recorded->copies == 1 ? "copy" : "copies",
                       counted(recorded->memsets, "memset"), counted(recorded->waits, "wait"),
                       counted(recorded->streams, "stream"));
  }
  std::string size = format_bytes(chunk_bytes);
  if (result_bytes != chunk_bytes) size += " in, " + format_bytes(result_bytes) + " out";
  std::string text =
      fmt::format("{} x {}, {}", counted(chunks(), "chunk"), size, counted(lanes, "lane"));
  if (gpus) text += fmt::format(" on each of {} GPUs", gpu_count());
  text += pipeline ? ", " + counted(depth, "kernel")
                   : fmt::format(", depth {}, {}", depth, counted(rounds, "round"));
  if (stride) text += ", stride " + format_bytes(*stride);
  if (order == Order::breadth_first) text += ", breadth first";
  if (host_memory != HostMemory::pinned) {
    text += fmt::format(", {} host memory", name_of(host_memory));
  }
  return text;
}

std::string Workload::label() const {
  std::string text = modified ? name + ", modified" : name;
  if (gpus) text += fmt::format(", split over {} GPUs", gpu_count());
  return host_memory == HostMemory::pinned ? text : text + ", " + name_of(host_memory);
}

const std::vector<Workload>& presets() {
  static const std::vector<Workload> all = transformed(promised(), &Preset::workload);
  return all;
}

std::optional<Promise> promise_of(const std::string& preset) {
  for (const Preset& known : promised()) {
    if (known.workload.name == preset) return known.promise;
  }
  return std::nullopt;
}

}  // namespace trilane
