#include "common/sweep/visit.hpp"

#include <fmt/format.h>

#include "common/analysis/statistics/paired_ratio.hpp"
#include "common/analysis/statistics/statistics.hpp"
#include "common/context/host_memory.hpp"
#include "common/device/flavour.hpp"
#include "common/harness/bench/cuda_bench.hpp"
#include "common/harness/compare_variants.hpp"
#include "common/harness/contenders.hpp"
#include "common/harness/memory_need.hpp"
#include "common/sweep/outcome.hpp"
#include "common/sweep/race.hpp"
#include "common/text/exit_code.hpp"
#include "common/text/size.hpp"

namespace trilane {
namespace {

/// The size of the alphabet. Less for much work per word, so that the CPU's reference takes at most
/// 50 ms, but at least 64, which still tell the parts of a pass apart.
std::size_t letters_for(const Workload& workload) {
  constexpr double most_us = 50e3, us_per_round = 1.6e-3;
  const double us_per_letter = us_per_round * workload.rounds * workload.depth;
  std::size_t letters = Reference::alphabet_size;
  while (letters > 64 && static_cast<double>(letters) * us_per_letter > most_us) letters /= 2;
  return letters;
}

}  // namespace

void plan_cells(RegimeMap& map, const SweepRequest& request, const ComparisonSettings& settings,
                const Device& device) {
  for (Cell& cell : map.cells) {
    if (cell.status != Status::not_run) continue;
    attempt(cell, [&] {
      const SweepPoint point = point_at(request, cell.column, cell.row);
      cell.workload = point.workload;
      cell.requested_kernel_us = point.kernel_time_us;
      ensure_memory(cell.workload, settings, device);
    });
  }
}

Cell Visitor::visit(const Cell& before, double seconds, const HarnessListener& listener) {
  const double start = now_us();
  Cell cell = before;
  cell.workload = with_rounds(before);
  const std::size_t letters = letters_for(cell.workload);
  ensure_reference(cell.workload, letters);
  const std::uint64_t seed = map_.seed + map_.position(cell.column, cell.row);
  Comparison comparison = planned_comparison(cell.workload, settings_, device_);
  comparison.seed = seed;
  make_ready(comparison);

  Race race;
  HarnessListener heard = listener;
  double used = 0;
  heard.advance = [&](double fraction) {
    used = fraction * seconds;
    listener.advance(fraction);
  };
  CudaBench bench(cell.workload, contenders(settings_), seed, buffers(), letters);
  run_comparison(bench, comparison,
                 {.seconds = seconds,
                  .min_rounds = 2 * fewest_rounds,
                  .warm_up_us = 5'000,
                  .checks_before = 1,
                  .checks_between = false,
                  .decided = [&](const Comparison& so_far,
                                 auto& resting) { return race.decided(so_far, resting); }},
                 heard);
  lost_ = comparison.stopped == "lost";
  conclude(comparison, cell);
  ++cell.visits;
  cell.measuring_seconds = used;
  cell.seconds = (now_us() - start) / 1e6;
  return cell;
}

Workload Visitor::with_rounds(const Cell& cell) {
  const double kernel_us = cell.requested_kernel_us;
  if (!(kernel_us > 0)) return cell.workload;
  const Kernel kernel{cell.workload.chunk_bytes, cell.workload.result_bytes, kernel_us};
  if (rounds_.empty()) {
    for (const Cell& other : map_.cells) {
      if (other.visits == 0 || !(other.requested_kernel_us > 0)) continue;
      rounds_[{other.workload.chunk_bytes, other.workload.result_bytes,
               other.requested_kernel_us}] = other.workload.rounds;
    }
  }
  Workload workload = cell.workload;
  const auto known = rounds_.find(kernel);
  workload.rounds =
      known != rounds_.end() ? known->second : with_kernel_time(workload, kernel_us).rounds;
  rounds_[kernel] = workload.rounds;
  return workload;
}

/// Buffers large enough for every cell.
HostBuffers& Visitor::buffers() {
  if (buffers_) return *buffers_;
  BufferSizes sizes;
  for (const Cell& cell : map_.cells) {
    if (cell.status != Status::not_supported) sizes.fit(cell.workload);
  }
  const HostMemory kind = map_.cells.front().workload.host_memory;  // cannot be swept
  const std::uint64_t need = sizes.in + 2 * sizes.out, left = available_host_bytes();
  if (need > left) {
    throw NotPossible(
        fmt::format("the largest cells of the sweep take {} of {}, and {} is left: sweep to "
                    "smaller sizes",
                    format_bytes(need), host_memory_text(kind), format_bytes(left)));
  }
  buffers_ = std::make_unique<HostBuffers>(sizes, kind);
  return *buffers_;
}

}  // namespace trilane
