#include <fmt/format.h>

#include <algorithm>

#include "common/analysis/statistics/paired_ratio.hpp"
#include "common/analysis/statistics/statistics.hpp"
#include "common/analysis/verdict/verdict.hpp"
#include "common/report/report.hpp"
#include "common/report/report_parts.hpp"
#include "common/text/markdown.hpp"

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

std::string comparison_cell(const Comparison& comparison, const Measurement& m) {
  if (m.status != Status::ok) return name_of(m.status);
  if (!m.wall) return "no samples";
  if (m.variant == comparison.reference) return "reference";
  if (!m.ratio) return "-";
  if (!decides(*m.ratio)) return "too few rounds";
  return fmt::format("{} [{}, {}]", m.ratio->tie() ? "tie" : short_speed(1 / m.ratio->estimate),
                     short_speed(1 / m.ratio->high), short_speed(1 / m.ratio->low));
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
  // With a longer name the heading would be wider than its column.
  const bool short_name = comparison.reference.size() <= 11;
  const std::string reference =
      comparison.reference.empty()
          ? "result"
          : "speed vs " + (short_name ? comparison.reference : "reference");
  Table times{{"variant", ">submit", ">device", ">wall", ">wall p99", reference}, {}};
  for (const Measurement& m : comparison.measurements) {
    times.rows.push_back(row_of(comparison, m, unit));
  }
  return markdown_table(fitted(std::move(times), {">wall p99"}));
}

std::string how_it_stopped(const std::string& stopped) {
  if (stopped == "precision") return ", until the precision was reached";
  if (stopped == "time") return ", until the time was up";
  if (stopped == "interrupted") return ", then interrupted";
  if (stopped == "error") return ", then stopped by errors";
  if (stopped == "lost") return ", until an error left the GPU unusable";
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
      latency ? "Latency" : "Throughput, batches of " + counted(comparison.batch, "pass"),
      comparison.processes > 1 ? fmt::format("{} processes, ", comparison.processes) : "",
      counted(comparison.rounds, "round"), comparison.seconds, how_it_stopped(comparison.stopped),
      latency ? counted(samples, "timed pass") : counted(samples, "timed batch"), comparison.seed,
      unit_for(comparison).name, simulated.empty() ? "" : ", simulated");
}

}  // namespace

std::string table(const Comparison& comparison, const std::string& simulated) {
  return fmt::format("{}\n{}\n{}\n{}{}{}{}",
                     markdown_heading(comparison.workload.label(), comparison.workload.shape()),
                     paragraph(how_it_ran(comparison, simulated)), times_of(comparison),
                     notes(comparison, !simulated.empty()), bounds_section(comparison),
                     price_section(comparison), paragraph(verdict(comparison, simulated)));
}

}  // namespace trilane
