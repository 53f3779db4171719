#include "common/explain/report/diff/diff_runs.hpp"
#include "common/explain/statistics/variant_ratio.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "common/base/text/words.hpp"
#include "common/explain/report/diff/diff_parts.hpp"
#include "common/model/results/find.hpp"

namespace trilane {
namespace {

std::string gpu_of(const Context& context) {
  if (!context.simulated.empty()) return "simulated " + context.simulated;
  const std::string name = value_of(context.gpu, "name");
  return name.empty() ? "an unnamed GPU" : name;
}

Bullet origin(const char* which, const RunFile& run) {
  const Context& context = run.results.context;
  return {fmt::format("{}: {}, started {}, on {}, revision {}", which, run.path, context.started,
                      gpu_of(context), context.git_revision)};
}

Page surroundings(const RunChange& runs) {
  if (runs.differences.empty()) return {Paragraph{"Nothing else on record differs between them."}};
  Page page{Paragraph{"What differs between them:"}};
  for (const Difference& difference : runs.differences) {
    page.push_back(
        Bullet{fmt::format("{}: {}, now {}", difference.what, difference.before, difference.now)});
  }
  return page;
}

Page only_in(const char* which, const std::vector<std::string>& names) {
  if (names.empty()) return {};
  return {Bullet{fmt::format("Only in {}: {}.", which, fmt::join(names, "; "))}};
}

/// Returns true if any interval was widened.
bool allows_for_processes(const RunChange& runs) {
  for (const WorkloadChange& workload : runs.workloads) {
    for (const VariantChange& change : workload.changes) {
      if (change.ratio && change.ratio->high != change.measured->high) return true;
    }
  }
  return false;
}

Paragraph how_to_read(const RunChange& runs) {
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
        "a run in one process is widened by {} each way (--process-spread).",
        percent(runs.process_spread));
  }
  return {text};
}

/// Says what settles UNSURE if one process was too few.
Page next_step(const RunChange& runs) {
  if (!allows_for_processes(runs)) return {};
  const bool unsure = std::ranges::any_of(runs.workloads, [](const WorkloadChange& workload) {
    // A replay runs in the process of its recording.
    if (workload.now->workload.origin() == Origin::recording) return false;
    return std::ranges::find(workload.changes, Verdict::unsure, &VariantChange::verdict) !=
           workload.changes.end();
  });
  if (!unsure) return {};
  return {Paragraph{"To find smaller differences, give both runs --processes 10."}};
}

std::string extent(const Comparison& comparison) {
  return fmt::format("{} of {}", counted(comparison.rounds, "round"),
                     counted(comparison.processes, "process"));
}

std::string speed_of(const VariantChange& change) {
  if (!change.ratio) return "-";
  if (!decides(*change.ratio)) return "too few rounds";
  return fmt::format("{} [{}, {}]", short_speed(1 / change.ratio->estimate),
                     short_speed(1 / change.ratio->high), short_speed(1 / change.ratio->low));
}

Table table_of(const WorkloadChange& workload, const Unit& unit) {
  Table table{{"variant", ">old", ">new", "speed vs old", "verdict"}, {}, {">old", ">new"}};
  const auto time = [&](const std::optional<double>& us) {
    return us ? short_time(*us / unit.us) : "-";
  };
  for (const VariantChange& change : workload.changes) {
    table.rows.push_back({change.variant, time(change.old_us), time(change.new_us),
                          speed_of(change), name_of(change.verdict)});
  }
  return table;
}

Page notes(const WorkloadChange& workload) {
  Page page = only_in("old", workload.only_before);
  append(page, only_in("new", workload.only_now));
  for (const VariantChange& change : workload.changes) {
    if (change.message.empty()) continue;
    const bool lost = change.verdict == Verdict::lost;
    page.push_back(
        Bullet{fmt::format("{}: {}, {}", change.variant,
                           lost ? "LOST its times" : "had no times in old", change.message)});
  }
  return page;
}

Page section(const WorkloadChange& workload) {
  double longest = 0;
  for (const VariantChange& change : workload.changes) {
    longest = std::max({longest, change.old_us.value_or(0), change.new_us.value_or(0)});
  }
  const Unit unit = unit_up_to(longest);
  const Comparison& now = *workload.now;
  Page page{Heading{label_of(now), now.workload.shape()},
            Paragraph{fmt::format("{}: old {}, new {}. Means of wall times in {}.",
                                  now.mode == Mode::latency ? "Latency" : "Throughput",
                                  extent(*workload.before), extent(now), unit.name)},
            table_of(workload, unit)};
  append(page, notes(workload));
  page.push_back(Paragraph{verdict(workload)});
  return page;
}

}  // namespace

Page diff_page(const RunChange& runs) {
  Page page{Heading{"New beside old", "two runs, variant by variant"}, how_to_read(runs)};
  for (const WorkloadChange& workload : runs.workloads) append(page, section(workload));
  append(page, only_in("old", runs.only_before));
  append(page, only_in("new", runs.only_now));
  append(page, {origin("old", *runs.before), origin("new", *runs.now)});
  append(page, surroundings(runs));
  page.push_back(Paragraph{verdict(runs)});  // last, where a terminal shows it
  append(page, next_step(runs));
  if (runs.fail_beyond) page.push_back(Paragraph{threshold_verdict(runs)});
  return page;
}

}  // namespace trilane
