#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ranges>

#include "common/base/text/size.hpp"
#include "common/explain/report/report_parts.hpp"
#include "common/explain/statistics/statistics.hpp"
#include "common/model/results/find.hpp"

namespace trilane {
namespace {

/// Says what "right" means for a replay, and what its clocks are.
void add_replay(Page& page, const Comparison& comparison) {
  if (comparison.workload.origin() != Origin::recording) return;
  page.push_back(
      Bullet{"Checked: every candidate leaves the bytes that the same calls leave, from the same "
             "start."});
  page.push_back(Bullet{
      "Submit: the host's calls without its waits. Wall: an iteration with the application's own "
      "time between calls."});
}

/// With a full queue submit waits for the device, even if the plan says that it does not block.
void add_full_queue(Page& page, const Workload& workload) {
  constexpr std::uint64_t full = 1000;
  const std::uint64_t on_lane = workload.operations() / workload.used_lanes();
  if (on_lane < full) return;
  page.push_back(
      Bullet{fmt::format("Each lane gets {} operations a pass. From about {} on the queue is full, "
                         "and submit includes waiting for the device.",
                         on_lane, full)});
}

/// Says how the intervals are made, and gives each variant's means in the fastest and the slowest
/// process.
void add_processes(Page& page, const Comparison& comparison) {
  if (comparison.processes < 2 || is_predicted(comparison)) return;
  constexpr std::uint32_t few = 6;
  std::string text = fmt::format(
      "Intervals are for another run of {} processes: Student's t with {} of freedom.{} "
      "Set-up is the median over processes; the limit is that of the fastest process.",
      comparison.processes, counted(comparison.processes - 1, "degree"),
      comparison.processes < few ? " With so few processes they are wide." : "");
  std::vector<std::string> spreads;
  for (const Measurement& m : comparison.measurements) {
    if (!was_timed(m)) continue;
    const auto means = process_times(m.samples);
    const auto [least, most] = std::ranges::minmax(std::views::values(means));
    spreads.push_back(fmt::format("{} {} to {}", m.variant, format_us(least), format_us(most)));
  }
  page.push_back(Bullet{text});
  if (spreads.empty()) return;
  page.push_back(
      Bullet{fmt::format("Means of the processes in us: {}.", fmt::join(spreads, ", "))});
}

/// Says what "right" means for a user's pipeline.
void add_agreement(Page& page, const Comparison& comparison) {
  if (!comparison.workload.pipeline || is_predicted(comparison)) return;
  page.push_back(Bullet{
      "Checked: every variant leaves what serial leaves, which two runs of serial agree on. That "
      "shows agreement; whether the kernels compute what they should, only a reference file can "
      "show."});
}

/// Lists the variants that got no more turns.
void add_dropped(Page& page, const Comparison& comparison) {
  std::vector<std::string> names;
  for (const Measurement& m : comparison.measurements) {
    if (!m.dropped_after) continue;
    names.push_back(fmt::format("{} after {}", m.variant, counted(*m.dropped_after, "round")));
  }
  if (names.empty()) return;
  page.push_back(Bullet{
      fmt::format("Dropped, because they were clearly slower than the best of their tier: {}.",
                  fmt::join(names, ", "))});
}

}  // namespace

bool waits_in_submit(const Comparison& comparison, const Measurement& m) {
  return m.plan.blocks && comparison.workload.origin() != Origin::recording;
}

bool does_least_work(const Comparison& comparison) {
  const Workload& workload = comparison.workload;
  return workload.name == "custom" && workload.rounds == 1 && comparison.requested_kernel_us == 0;
}

Page notes(const Comparison& comparison, bool simulated) {
  Page page;
  bool blocks = false;
  for (const Measurement& m : comparison.measurements) {
    blocks |= waits_in_submit(comparison, m);
    if (!m.message.empty()) page.push_back(Bullet{m.variant + ": " + m.message});
  }
  if (blocks) page.push_back(Bullet{"Variants with a star wait for the device in submit."});
  add_agreement(page, comparison);
  add_replay(page, comparison);
  add_dropped(page, comparison);
  add_processes(page, comparison);
  add_full_queue(page, comparison.workload);
  if (does_least_work(comparison)) {
    page.push_back(
        Bullet{"Kernels do the least work, 1 round: --kernel-time or --rounds makes them longer."});
  }
  if (comparison.requested_kernel_us > 0 && comparison.limit) {
    page.push_back(Bullet{fmt::format(
        "Kernel time: {} us requested, {} us {}, with {}.",
        format_us(comparison.requested_kernel_us),
        format_us(comparison.limit->kernels_us / comparison.workload.depth),
        simulated ? "simulated" : "measured", counted(comparison.workload.rounds, "round"))});
  }
  return page;
}

}  // namespace trilane
