#include <fmt/format.h>

#include <algorithm>

#include "common/explain/analysis/verdict/range_words.hpp"
#include "common/explain/report/report.hpp"
#include "common/explain/report/report_parts.hpp"
#include "common/explain/statistics/variant_ratio.hpp"
#include "common/model/results/find.hpp"

namespace trilane {
namespace {

Unit unit_for(const Comparison& comparison) {
  double longest = 0;
  for (const Measurement& m : comparison.measurements) {
    if (!m.wall) continue;
    longest = std::max({longest, m.submit->mean, m.device->mean, m.wall->mean, m.wall->p99});
  }
  return unit_up_to(longest);
}

std::string speed_column(const Comparison& comparison, const Measurement& m) {
  if (m.status != Status::ok) return name_of(m.status);
  if (!m.wall) return "no samples";
  if (m.variant == comparison.reference) return "reference";
  if (!m.ratio) return "-";
  const Ratio& ratio = *m.ratio;
  if (!decides(ratio)) return why_undecided(ratio.covers);
  return fmt::format("{} [{}, {}]",
                     ratio.tie() ? tie_words(ratio.covers) : short_speed(1 / ratio.estimate),
                     short_speed(1 / ratio.high), short_speed(1 / ratio.low));
}

std::vector<std::string> row_of(const Comparison& comparison, const Measurement& m, Unit unit) {
  std::vector<std::string> row{m.variant + (waits_in_submit(comparison, m) ? " *" : "")};
  if (m.status == Status::ok && m.wall) {
    const auto time = [&](double us) { return short_time(us / unit.us); };
    for (const double us : {m.submit->mean, m.device->mean, m.wall->mean}) {
      row.push_back(time(us));
    }
    row.push_back(fmt::format("{} to {}", time(m.wall->q1), time(m.wall->q3)));
    row.push_back(time(m.wall->p99));
  } else {
    row.insert(row.end(), 5, "-");
  }
  row.push_back(speed_column(comparison, m));
  row.push_back(name_of(tier_of(m.plan.model)));
  return row;
}

Table times_of(const Comparison& comparison) {
  const Unit unit = unit_for(comparison);
  // With a longer name the heading would be wider than its column.
  const bool short_name = comparison.reference.size() <= 11;
  const std::string reference =
      comparison.reference.empty()
          ? "result"
          : "speed vs " + (short_name ? comparison.reference : "reference");
  Table times{{"variant", ">submit", ">device", ">wall", ">quartiles", ">p99", reference, "tier"},
              {},
              {"tier", ">quartiles", ">p99"}};
  for (const Measurement& m : comparison.measurements) {
    times.rows.push_back(row_of(comparison, m, unit));
  }
  return comparison.workload.origin() == Origin::recording
             ? without_column(std::move(times), "tier")
             : times;
}

std::string how_it_stopped(const std::string& stopped) {
  if (stopped == "predicted") return ", predicted and not checked";
  if (stopped == "precision") return ", until the precision was reached";
  if (stopped == "time") return ", until the time was up";
  if (stopped == "interrupted") return ", then interrupted";
  if (stopped == "error") return ", then stopped by errors";
  if (stopped == "lost") return ", until an error left the GPU unusable";
  return "";
}

/// A batch of one pass is latency, whatever was requested.
std::string mode_of(const Comparison& comparison) {
  if (comparison.mode == Mode::latency) return "Latency";
  if (comparison.batch > 1) {
    return "Throughput, batches of " + counted(comparison.batch, "pass");
  }
  return "Latency, because these passes are too long to queue two of them";
}

std::string how_it_ran(const Comparison& comparison, const std::string& simulated) {
  const bool latency = comparison.mode == Mode::latency || comparison.batch == 1;
  std::size_t samples = 0;
  std::uint32_t aside = 0;
  for (const Measurement& m : comparison.measurements) {
    samples = std::max(samples, m.samples.size());
    aside = std::max(aside, rounds_in(m.set_aside));
  }
  const std::string slow = aside == 0
                               ? ""
                               : fmt::format(" {} set aside, in which the host's core was slow.",
                                             counted(aside, "round"));
  const bool replayed = comparison.workload.origin() == Origin::recording;
  const char* const timed = !latency ? "timed batch" : replayed ? "timed iteration" : "timed pass";
  return fmt::format(
      "{}{}: {}{} in {:.1f} s{}; {} per variant, seed {}. Means in {}{}; quartiles and p99 of "
      "the wall time.{}{}",
      simulated.empty() ? "" : fmt::format("Simulated {}. ", simulated), mode_of(comparison),
      comparison.processes > 1 ? fmt::format("{} processes, ", comparison.processes) : "",
      counted(comparison.rounds, "round"), comparison.seconds, how_it_stopped(comparison.stopped),
      counted(samples, timed), comparison.seed, unit_for(comparison).name,
      simulated.empty() ? "" : ", simulated", slow,
      covers_of(comparison) == Covers::rounds ? " Intervals cover only this process." : "");
}

}  // namespace

Page times_page(const Comparison& comparison, const std::string& simulated) {
  Page page{Heading{comparison.workload.label(), comparison.workload.shape()},
            Paragraph{how_it_ran(comparison, simulated)}, times_of(comparison)};
  append(page, notes(comparison, !simulated.empty()));
  return page;
}

}  // namespace trilane
