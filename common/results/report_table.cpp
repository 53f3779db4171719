#include <fmt/format.h>

#include <algorithm>

#include "common/options/size.hpp"
#include "common/results/limitation.hpp"
#include "common/results/markdown.hpp"
#include "common/results/report.hpp"
#include "common/results/report_parts.hpp"
#include "common/results/report_processes.hpp"
#include "common/results/results_io.hpp"
#include "common/results/statistics.hpp"

namespace trilane {
namespace {

Unit unit_for(const Comparison& comparison) {
  double longest = 0;
  for (const Measurement& m : comparison.measurements) {
    if (!m.wall) continue;
    longest = std::max({longest, m.submit->median, m.device->median, m.wall->median, m.wall->p99});
  }
  return unit_up_to(longest);
}

/// At most five characters, whatever the variants are like.
std::string speed(double times) {
  if (!(times < 9999.5)) return ">9999";
  if (times < 0.0005) return "<.001";
  return fmt::format("{:.{}f}", times, times < 9.9995 ? 3 : times < 999.95 ? 1 : 0);
}

std::string comparison_cell(const Comparison& comparison, const Measurement& m) {
  if (m.status != Status::ok) return name_of(m.status);
  if (!m.wall) return "no samples";
  if (m.variant == comparison.reference) return "reference";
  if (!m.ratio) return "-";
  if (!decides(*m.ratio)) return "too few rounds";
  return fmt::format("{} [{}, {}]", m.ratio->tie() ? "tie" : speed(1 / m.ratio->estimate),
                     speed(1 / m.ratio->high), speed(1 / m.ratio->low));
}

std::vector<std::string> row_of(const Comparison& comparison, const Measurement& m, Unit unit) {
  std::vector<std::string> row{m.variant + (m.plan.blocks ? " *" : "")};
  if (m.status == Status::ok && m.wall) {
    for (const double us : {m.submit->median, m.device->median, m.wall->median, m.wall->p99}) {
      row.push_back(short_time(us / unit.us));
    }
  } else {
    row.insert(row.end(), 4, "-");
  }
  row.push_back(comparison_cell(comparison, m));
  return row;
}

std::string times_of(const Comparison& comparison) {
  const Unit unit = unit_for(comparison);
  // With a longer name the title would be wider than what stands below it.
  const bool short_name = comparison.reference.size() <= 11;
  const std::string reference =
      comparison.reference.empty()
          ? "result"
          : "speed vs " + (short_name ? comparison.reference : "reference");
  Table times{{{"variant", Align::left},
               {"submit", Align::right},
               {"device", Align::right},
               {"wall", Align::right},
               {"wall p99", Align::right},
               {reference, Align::left}},
              {}};
  for (const Measurement& m : comparison.measurements) {
    times.rows.push_back(row_of(comparison, m, unit));
  }
  return markdown_table(fitted(std::move(times), {"wall p99"}));
}

std::string counted(std::size_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string how_it_stopped(const std::string& stopped) {
  if (stopped == "precision") return ", until the rounds were enough for the precision";
  if (stopped == "time") return ", until the time was up";
  if (stopped == "interrupted") return ", then interrupted";
  if (stopped == "error") return ", then stopped by errors";
  if (stopped == "lost") return ", then an error left the GPU unusable";
  return "";
}

std::string how_it_ran(const Comparison& comparison, const std::string& simulated) {
  const bool latency = comparison.mode == Mode::latency;
  std::size_t samples = 0;
  for (const Measurement& m : comparison.measurements) {
    samples = std::max(samples, m.samples.size());
  }
  return fmt::format(
      "{}{}: {}{} in {:.1f} s{}; {} per variant, seed {}. Medians in {}{}.",
      simulated.empty() ? "" : fmt::format("Simulated {}. ", simulated),
      latency ? "Latency" : "Throughput, batches of " + counted(comparison.batch, "pass", "passes"),
      comparison.processes > 1 ? fmt::format("{} processes, ", comparison.processes) : "",
      counted(comparison.rounds, "round", "rounds"), comparison.seconds,
      how_it_stopped(comparison.stopped),
      latency ? counted(samples, "timed pass", "timed passes")
              : counted(samples, "timed batch", "timed batches"),
      comparison.seed, unit_for(comparison).name, simulated.empty() ? "" : ", simulated");
}

std::string set_up(const Comparison& comparison) {
  std::string text;
  for (const Measurement& m : comparison.measurements) {
    if (m.status != Status::ok || m.price) continue;
    text += fmt::format("{} {} {} ({})", text.empty() ? "" : ",", m.variant, format_us(m.setup_us),
                        format_us(m.first_pass_us));
  }
  return text.empty() ? "" : bullet("Set-up in us (and first pass):" + text + ".");
}

/// The engines' bound, and the host's where submitting takes longer than that, beside the best of
/// those that it holds for.
std::string limit(const Comparison& comparison) {
  if (!comparison.limit) return "";
  std::string text = fmt::format("Limit: the copy engines and SMs need {} us for a pass",
                                 format_us(comparison.limit->bound_us));
  const Measurement* best = nullptr;
  for (const Measurement& m : comparison.measurements) {
    const bool held = m.wall && copies_each_chunk(m.plan, comparison.workload);
    if (held && (best == nullptr || m.wall->median < best->wall->median)) best = &m;
  }
  if (best != nullptr) {
    double bound = comparison.limit->bound_us;
    if (!best->plan.blocks && best->submit->median > bound) {
      bound = best->submit->median;
      text += fmt::format(", and {} as many as {} to submit it", best->variant, format_us(bound));
    }
    text += fmt::format("; {} with {} us reaches {:.0f}% of that speed", best->variant,
                        format_us(best->wall->median), 100 * bound / best->wall->median);
  }
  return bullet(text + ".");
}

/// A queue that is full makes submit wait, whatever the plan says.
std::string full_queue(const Workload& workload) {
  constexpr std::uint64_t full = 1000;
  const std::uint64_t on_lane = workload.operations() / workload.used_lanes();
  if (on_lane < full) return "";
  return bullet(
      fmt::format("A lane gets {} operations a pass: from about {} on the host waits for "
                  "the device, and submit shows that.",
                  on_lane, full));
}

std::string notes(const Comparison& comparison, bool simulated) {
  std::string text;
  bool blocks = false;
  for (const Measurement& m : comparison.measurements) {
    blocks |= m.plan.blocks;
    if (!m.message.empty()) text += bullet(m.variant + ": " + m.message);
  }
  if (blocks) text += bullet("A star marks a variant whose submit waits for the device.");
  text += process_notes(comparison);
  text += full_queue(comparison.workload) + set_up(comparison) + limit(comparison);
  if (comparison.requested_kernel_us > 0 && comparison.limit) {
    text += bullet(fmt::format("Kernel time: {} us asked for, {} us {}, with {}.",
                               format_us(comparison.requested_kernel_us),
                               format_us(comparison.limit->kernels_us / comparison.workload.depth),
                               simulated ? "simulated" : "measured",
                               counted(comparison.workload.rounds, "round", "rounds")));
  }
  if (!comparison.regime.empty()) text += bullet("Regime: " + comparison.regime + ".");
  return text.empty() ? "" : text + "\n";
}

}  // namespace

Unit unit_up_to(double longest_us) {
  if (longest_us < 1e6) return {"us", 1};
  return longest_us < 1e9 ? Unit{"ms", 1e3} : Unit{"s", 1e6};
}

std::string short_time(double value) {
  if (value > 0 && value < 0.0005) return "<0.001";
  return value > 0 && value < 0.01 ? fmt::format("{:.3f}", value) : format_us(value);
}

std::string table(const Comparison& comparison, const std::string& simulated) {
  return fmt::format("{}\n{}\n{}\n{}{}{}",
                     markdown_heading(comparison.workload.label(), comparison.workload.shape()),
                     paragraph(how_it_ran(comparison, simulated)), times_of(comparison),
                     notes(comparison, !simulated.empty()), price_section(comparison),
                     paragraph(verdict(comparison, simulated)));
}

}  // namespace trilane
