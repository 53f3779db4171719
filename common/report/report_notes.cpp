#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ranges>

#include "common/analysis/limits/loads.hpp"
#include "common/analysis/statistics/statistics.hpp"
#include "common/report/report_parts.hpp"
#include "common/results/find.hpp"
#include "common/text/markdown.hpp"
#include "common/text/size.hpp"

namespace trilane {
namespace {

std::string set_up(const Comparison& comparison) {
  std::string text;
  for (const Measurement& m : comparison.measurements) {
    if (m.status != Status::ok || m.price) continue;
    text += fmt::format("{} {} {} ({})", text.empty() ? "" : ",", m.variant, format_us(m.setup_us),
                        format_us(m.first_pass_us));
  }
  return text.empty() ? "" : bullet("Set-up in us (and first pass):" + text + ".");
}

/// The fastest variant that copies each chunk by itself, or that does not; nullptr without one.
const Measurement* fastest(const Comparison& comparison, bool by_chunks) {
  const Measurement* best = nullptr;
  for (const Measurement& m : comparison.measurements) {
    if (!m.wall || copies_each_chunk(m.plan.model, comparison.workload) != by_chunks) continue;
    if (best == nullptr || m.wall->median < best->wall->median) best = &m;
  }
  return best;
}

/// "graph with 480 us reaches 90% of that speed".
std::string beside(const Measurement& m, double bound) {
  const double reached = bound / m.wall->median;
  const std::string name = fmt::format("{} at {} us", m.variant, format_us(m.wall->median));
  if (as_good_as * reached > 1) return name + " needs less";
  return fmt::format("{} reaches {:.0f}% of that speed", name, std::min(100.0, 100 * reached));
}

/// The limit chunk by chunk (or host submission, if that takes longer), how close the best variant
/// that copies by chunks comes, and a faster variant that does not.
std::string limit(const Comparison& comparison) {
  if (!comparison.limit) return "";
  double bound = comparison.limit->bound_us;
  std::string text = fmt::format(
      "Limit: chunk by chunk, copies, memsets and kernels need {} us for a pass", format_us(bound));
  if (const Measurement* best = fastest(comparison, true)) {
    if (!best->plan.blocks && best->submit->median > bound) {
      bound = best->submit->median;
      text += fmt::format(", and {} needs {} us to submit it", best->variant, format_us(bound));
    }
    text += "; " + beside(*best, bound);
  }
  if (const Measurement* other = fastest(comparison, false);
      other != nullptr && other->wall->median < bound) {
    text += fmt::format("; {}, to which it does not apply, takes {} us", other->variant,
                        format_us(other->wall->median));
  }
  return bullet(text + ".");
}

/// With a full queue submit waits for the device, even if the plan says that it does not block.
std::string full_queue(const Workload& workload) {
  constexpr std::uint64_t full = 1000;
  const std::uint64_t on_lane = workload.operations() / workload.used_lanes();
  if (on_lane < full) return "";
  return bullet(
      fmt::format("Each lane gets {} operations a pass. From about {} on the queue is full, and "
                  "submit includes waiting for the device.",
                  on_lane, full));
}

/// How the intervals are made, and each variant's medians in the fastest and the slowest process.
std::string processes(const Comparison& comparison) {
  if (comparison.processes < 2) return "";
  constexpr std::uint32_t few = 6;
  std::string text = fmt::format(
      "Intervals over {} processes: Student's t with {} of freedom, over their mean ratios.{} "
      "Set-up is the median over processes; the limit is that of the fastest process.",
      comparison.processes, counted(comparison.processes - 1, "degree"),
      comparison.processes < few ? " With so few processes they are wide." : "");
  std::vector<std::string> spreads;
  for (const Measurement& m : comparison.measurements) {
    if (!was_timed(m)) continue;
    const auto medians = process_medians(m.samples);
    const auto [least, most] = std::ranges::minmax(std::views::values(medians));
    spreads.push_back(fmt::format("{} {} to {}", m.variant, format_us(least), format_us(most)));
  }
  if (spreads.empty()) return bullet(text);
  return bullet(text) +
         bullet(fmt::format("Medians of the processes in us: {}.", fmt::join(spreads, ", ")));
}

}  // namespace

std::string notes(const Comparison& comparison, bool simulated) {
  std::string text;
  bool blocks = false;
  for (const Measurement& m : comparison.measurements) {
    blocks |= m.plan.blocks;
    if (!m.message.empty()) text += bullet(m.variant + ": " + m.message);
  }
  if (blocks) text += bullet("A star marks a variant whose submit waits for the device.");
  text += processes(comparison);
  text += full_queue(comparison.workload) + set_up(comparison) + limit(comparison);
  if (comparison.requested_kernel_us > 0 && comparison.limit) {
    text += bullet(fmt::format("Kernel time: {} us requested, {} us {}, with {}.",
                               format_us(comparison.requested_kernel_us),
                               format_us(comparison.limit->kernels_us / comparison.workload.depth),
                               simulated ? "simulated" : "measured",
                               counted(comparison.workload.rounds, "round")));
  }
  if (!comparison.regime.empty()) text += bullet("Regime: " + comparison.regime + ".");
  return text.empty() ? "" : text + "\n";
}

}  // namespace trilane
