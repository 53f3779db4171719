#include "common/measure/sweep/visit.hpp"

#include "common/base/text/size.hpp"
#include "common/device/flavour/flavour.hpp"
#include "common/explain/statistics/statistics.hpp"
#include "common/measure/context/host.hpp"
#include "common/measure/harness/cuda_bench.hpp"
#include "common/measure/harness/measure_alone.hpp"
#include "common/measure/sweep/conclude.hpp"
#include "common/model/results/find.hpp"

namespace trilane {
namespace {

/// Returns the size of the reference's alphabet: smaller for much work per word, so that the CPU
/// takes at most 50 ms, but at least 64 words to distinguish parts. Throws as ensure_reference().
std::size_t checkable_letters(const Workload& workload) {
  constexpr double most_us = 50e3;
  std::size_t letters = Reference::alphabet_size;
  while (letters > 64 && reference_us(workload, letters) > most_us) letters /= 2;
  ensure_reference(workload, letters);
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

BufferSizes buffer_sizes(const RegimeMap& map) {
  BufferSizes sizes;
  for (const Cell& cell : map.cells) {
    const bool visited = cell.status == Status::ok || cell.status == Status::not_run;
    if (visited) sizes.fit(cell.workload);
  }
  const std::uint64_t need = sizes.in + 2 * sizes.out, left = available_host_bytes();
  if (need <= left) return sizes;
  throw NotPossible(
      "the largest cells of the sweep take {} of {}, and {} is left: sweep to smaller sizes",
      format_bytes(need), host_memory_text(map.cells.front().workload.host_memory),
      format_bytes(left));
}

Cell Visitor::visit(const Cell& before, double seconds, const HarnessListener& listener,
                    const Apart* apart) {
  const double start = now_us();
  Cell cell = before;
  cell.workload = with_rounds(before);
  Comparison comparison = planned_comparison(cell.workload, settings_, device_);
  comparison.seed =
      map_.seed + map_.position(cell.column, cell.row) + cell.visits * map_.cells.size();
  make_ready(comparison);
  for (Measurement& m : comparison.measurements) {
    const bool left_out = includes(before.left_out, m.variant, &Property::first);
    if (left_out) m.status = Status::not_run;
  }
  double used = 0;
  switch (settings_.effort) {
    case Effort::measure:
      used = apart ? measure(comparison, seconds, listener, *apart)
                   : race(comparison, seconds, listener);
      break;
    case Effort::predict: {
      const TimedOnly without_data;
      CudaBench bench(comparison.workload, contenders(settings_), comparison.seed, buffers());
      predict_comparison(bench, comparison, listener);
      break;
    }
  }
  lost_ = comparison.stopped == "lost";
  failed_ = any_with(Status::failed, comparison);
  add_visit(std::move(comparison), cell);
  cell.measuring_seconds = used;
  cell.seconds = (now_us() - start) / 1e6;
  return cell;
}

double Visitor::race(Comparison& comparison, double seconds, const HarnessListener& listener) {
  const Workload& workload = comparison.workload;
  const std::size_t letters = checkable_letters(workload);
  HarnessListener heard = listener;
  double used = 0;
  heard.advance = [&](double fraction) {
    used = fraction * seconds;
    listener.advance(fraction);
  };
  const HarnessSettings rounds{.seconds = seconds,
                               .min_rounds = 2 * fewest_rounds,
                               .warm_up_us = 5'000,
                               .checks_before = 1,
                               .checks_between = false,
                               .judge = Race(map_.rows ? Aim::winner : Aim::curve)};
  CudaBench bench(workload, contenders(settings_), comparison.seed, buffers(), letters);
  bench.new_input();
  run_comparison(bench, comparison, rounds, heard);
  return used;
}

double Visitor::measure(Comparison& comparison, double seconds, const HarnessListener& listener,
                        const Apart& apart) {
  const Workload& workload = comparison.workload;
  SharedInput input(workload, comparison.seed, apart.host, checkable_letters(workload));
  const std::unique_ptr<Bench> bench = apart.open(workload, [&] { input.draw(); });
  const std::vector<std::size_t> order = order_of(comparison);
  const double each = seconds / static_cast<double>(order.size());
  double used = 0;
  for (const std::size_t variant : order) {
    used += measure_alone(*bench, comparison, variant, each, listener);
    listener.advance(used / seconds);
  }
  conclude(comparison, listener);
  return used;
}

Workload Visitor::with_rounds(const Cell& cell) const {
  const double kernel_us = cell.requested_kernel_us;
  Workload workload = cell.workload;
  const auto same = std::ranges::find_if(map_.cells, [&](const Cell& other) {
    return other.visits > 0 && other.requested_kernel_us == kernel_us &&
           other.workload.chunk_bytes == workload.chunk_bytes &&
           other.workload.result_bytes == workload.result_bytes;
  });
  if (same == map_.cells.end() || !(kernel_us > 0)) return with_kernel_time(workload, kernel_us);
  workload.rounds = same->workload.rounds;
  return workload;
}

std::shared_ptr<HostBuffers> Visitor::buffers() {
  const HostMemory kind = map_.cells.front().workload.host_memory;  // cannot be swept
  if (!buffers_) buffers_ = std::make_shared<HostBuffers>(buffer_sizes(map_), kind);
  return buffers_;
}

}  // namespace trilane
