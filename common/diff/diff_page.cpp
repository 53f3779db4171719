#include "common/analysis/statistics/paired_ratio.hpp"
#include "common/diff/diff_runs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "common/diff/diff_parts.hpp"
#include "common/results/find.hpp"
#include "common/text/markdown.hpp"
#include "common/text/words.hpp"

namespace trilane {
namespace {

std::string gpu_of(const Context& context) {
  if (!context.simulated.empty()) return "simulated " + context.simulated;
  const std::string name = value_of(context.gpu, "name");
  return name.empty() ? "an unnamed GPU" : name;
}

std::string origin(const char* which, const RunFile& run) {
  const Context& context = run.results.context;
  return bullet(fmt::format("{}: {}, started {}, on {}, revision {}", which, run.path,
                            context.started, gpu_of(context), context.git_revision));
}

std::string surroundings(const RunChange& runs) {
  std::string text;
  for (const Difference& difference : runs.differences) {
    text +=
        bullet(fmt::format("{}: {}, now {}", difference.what, difference.before, difference.now));
  }
  if (text.empty()) return paragraph("Nothing else on record differs between them.");
  return paragraph("What differs between them:") + "\n" + text;
}

std::string only_in(const char* which, const std::vector<std::string>& names) {
  if (names.empty()) return "";
  return bullet(fmt::format("Only in {}: {}.", which, fmt::join(names, "; ")));
}

/// Whether any interval was widened.
bool allows_for_processes(const RunChange& runs) {
  for (const WorkloadChange& workload : runs.workloads) {
    for (const Change& change : workload.changes) {
      if (change.ratio && change.ratio->high != change.measured->high) return true;
    }
  }
  return false;
}

std::string how_to_read(const RunChange& runs) {
  std::string text = fmt::format(
      "Speed: old wall time over new; above 1, new is faster. SAME: the whole interval is within "
      "{} of 1. FASTER, SLOWER: all of it is on that side of 1. UNSURE: neither.",
      percent(runs.same_within));
  if (runs.shared_by > 0) {
    text += fmt::format(" Intervals over processes: in 95% of cases all {} of them are right.",
                        runs.shared_by);
  }
  if (allows_for_processes(runs)) {
    text += fmt::format(
        " The samples of one process do not show differences between processes, so the interval of "
        "a run in one process is widened by {} each way (--process-spread). To find smaller "
        "differences, give both runs --processes 10.",
        percent(runs.process_spread));
  }
  return paragraph(text);
}

std::string extent(const Comparison& comparison) {
  return fmt::format("{} of {}", counted(comparison.rounds, "round"),
                     counted(comparison.processes, "process"));
}

std::string speed_of(const Change& change) {
  if (!change.ratio) return "-";
  if (!decides(*change.ratio)) return "too few rounds";
  return fmt::format("{} [{}, {}]", short_speed(1 / change.ratio->estimate),
                     short_speed(1 / change.ratio->high), short_speed(1 / change.ratio->low));
}

/// Drops the times if long names leave no room.
std::string table_of(const WorkloadChange& workload, const Unit& unit) {
  Table table{{"variant", ">old", ">new", "speed vs old", "verdict"}, {}};
  const auto time = [&](const std::optional<double>& us) {
    return us ? short_time(*us / unit.us) : "-";
  };
  for (const Change& change : workload.changes) {
    table.rows.push_back({change.variant, time(change.old_us), time(change.new_us),
                          speed_of(change), name_of(change.verdict)});
  }
  return markdown_table(fitted(std::move(table), {">old", ">new"}));
}

std::string notes(const WorkloadChange& workload) {
  std::string text = only_in("old", workload.only_before) + only_in("new", workload.only_now);
  for (const Change& change : workload.changes) {
    if (change.message.empty()) continue;
    const bool lost = change.verdict == Verdict::lost;
    text += bullet(fmt::format("{}: {}, {}", change.variant,
                               lost ? "LOST its times" : "had no times in old", change.message));
  }
  return text.empty() ? "" : text + "\n";
}

std::string section(const WorkloadChange& workload) {
  double longest = 0;
  for (const Change& change : workload.changes) {
    longest = std::max({longest, change.old_us.value_or(0), change.new_us.value_or(0)});
  }
  const Unit unit = unit_up_to(longest);
  const Comparison& now = *workload.now;
  return fmt::format("{}\n{}\n{}\n{}{}\n", markdown_heading(label_of(now), now.workload.shape()),
                     paragraph(fmt::format("{}: old {}, new {}. Medians of wall times in {}.",
                                           now.mode == Mode::latency ? "Latency" : "Throughput",
                                           extent(*workload.before), extent(now), unit.name)),
                     table_of(workload, unit), notes(workload), paragraph(verdict(workload)));
}

}  // namespace

std::string page(const RunChange& runs) {
  std::string text = fmt::format(
      "{}\n{}{}\n{}\n{}\n", markdown_heading("New beside old", "two runs, variant by variant"),
      origin("old", *runs.before), origin("new", *runs.now), surroundings(runs), how_to_read(runs));
  for (const WorkloadChange& workload : runs.workloads) text += section(workload);
  const std::string missing = only_in("old", runs.only_before) + only_in("new", runs.only_now);
  if (!missing.empty()) text += missing + "\n";
  text += paragraph(verdict(runs));
  return runs.fail_beyond ? text + "\n" + paragraph(threshold_verdict(runs)) : text;
}

}  // namespace trilane
