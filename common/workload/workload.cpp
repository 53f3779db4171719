#include "common/workload/workload.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/text/size.hpp"
#include "common/text/words.hpp"

namespace trilane {

namespace {

constexpr std::uint64_t KiB = 1024, MiB = 1024 * KiB;

std::uint64_t round_up(std::uint64_t value, std::uint64_t to) { return (value + to - 1) / to * to; }

Workload preset(std::string name, std::uint32_t chunks, std::uint64_t chunk_bytes,
                std::uint64_t result_bytes, std::uint32_t lanes, std::uint32_t depth,
                std::uint32_t rounds) {
  return {.name = std::move(name),
          .bytes = chunks * chunk_bytes,
          .chunk_bytes = chunk_bytes,
          .result_bytes = result_bytes,
          .lanes = lanes,
          .depth = depth,
          .rounds = rounds};
}

}  // namespace

const char* name_of(HostMemory memory) {
  switch (memory) {
    case HostMemory::pinned: return "pinned";
    case HostMemory::pageable: return "pageable";
    case HostMemory::write_combined: return "write-combined";
    case HostMemory::registered: return "registered";
  }
  return "";
}

std::uint32_t Workload::chunks() const {
  return static_cast<std::uint32_t>((bytes + chunk_bytes - 1) / chunk_bytes);
}

Chunk Workload::chunk(std::uint32_t index) const {
  const std::uint64_t in_offset = index * chunk_bytes;
  const std::uint64_t in_bytes = std::min(chunk_bytes, bytes - in_offset);
  return {.index = index,
          .lane = index % lanes,
          .in_offset = in_offset,
          .in_bytes = in_bytes,
          .out_offset = index * result_bytes,
          .out_bytes = std::min(result_bytes, in_bytes)};
}

std::uint64_t Workload::result_total() const {
  const Chunk last = chunk(chunks() - 1);
  return last.out_offset + last.out_bytes;
}

std::uint32_t Workload::used_lanes() const { return std::min(lanes, chunks()); }

std::uint64_t Workload::scratch_bytes() const {
  return result_offset(*this) + round_up(result_bytes, scratch_alignment);
}

std::uint64_t result_offset(const Workload& workload) {
  return round_up(workload.chunk_bytes, scratch_alignment);
}

std::string Workload::shape() const {
  std::string size = format_bytes(chunk_bytes);
  if (result_bytes != chunk_bytes) size += " in, " + format_bytes(result_bytes) + " out";
  return fmt::format("{} x {}, {}, depth {}, {}{}", counted(chunks(), "chunk"), size,
                     counted(lanes, "lane"), depth, counted(rounds, "round"),
                     order == Order::breadth_first ? ", breadth first" : "") +
         (host_memory == HostMemory::pinned
              ? ""
              : fmt::format(", {} host memory", name_of(host_memory)));
}

std::string Workload::label() const {
  std::string text = modified ? name + ", modified" : name;
  return host_memory == HostMemory::pinned ? text : text + ", " + name_of(host_memory);
}

// Rounds were tuned on an H200 so that each preset is what its regime says: balanced's kernel takes
// as long as one of its copies (21 us), compute's ten times as long as its own (40 us), search's
// 1 ms. They are fixed, so that results of two machines are about the same work.
const std::vector<Workload>& presets() {
  static const std::vector<Workload> all{
      preset("launch", 64, 4 * KiB, 4 * KiB, 4, 4, 1),
      preset("transfer", 32, 8 * MiB, 8 * MiB, 4, 1, 1),
      preset("balanced", 16, 1 * MiB, 1 * MiB, 4, 1, 400),
      preset("compute", 8, 2 * MiB, 2 * MiB, 4, 1, 5000),
      preset("reduce", 16, 4 * MiB, 4 * KiB, 4, 1, 1),
      preset("search", 2, 16 * KiB, 4 * KiB, 2, 1, 112000),
  };
  return all;
}

std::string regime(const std::string& preset) {
  if (preset == "launch") return "host submission";
  if (preset == "transfer") return "PCIe, both directions";
  if (preset == "balanced") return "overlap of all engines";
  if (preset == "compute") return "the SMs";
  if (preset == "reduce") return "PCIe, one direction";
  if (preset == "search") return "long kernels side by side on two lanes";
  return {};
}

}  // namespace trilane
