#include "common/base/text/size.hpp"
#include "common/base/text/words.hpp"
#include "common/explain/report/diff_runs.hpp"
#include "common/explain/statistics/statistics.hpp"
#include "common/model/results/find.hpp"

namespace trilane {
namespace {

/// Returns "graph on launch 0.953": a variant in a sentence, with its speed if it changed.
std::string entry(const VariantChange& change, const std::string& place) {
  const std::string name = change.variant + place;
  if (change.verdict != Verdict::faster && change.verdict != Verdict::slower) return name;
  return fmt::format("{} {}", name, short_speed(1 / change.ratio->estimate));
}

/// Returns the verdicts, the most alarming first; variants are named only if they changed.
std::string tally(const std::vector<const WorkloadChange*>& workloads, bool with_places) {
  std::vector<std::string> parts;
  using enum Verdict;
  for (const Verdict verdict : {lost, slower, faster, same, unsure, no_times}) {
    std::vector<std::string> entries;
    for (const WorkloadChange* workload : workloads) {
      const std::string place = with_places ? " on " + label_of(*workload->now) : "";
      for (const VariantChange& change : workload->changes) {
        if (change.verdict == verdict) entries.push_back(entry(change, place));
      }
    }
    if (entries.empty()) continue;
    std::string part = fmt::format("{} {}", entries.size(),
                                   verdict == no_times ? "without times in old" : name_of(verdict));
    if (verdict == lost || verdict == slower || verdict == faster) {
      part += fmt::format(" ({})", fmt::join(entries, ", "));
    }
    parts.push_back(std::move(part));
  }
  return parts.empty() ? "nothing in common" : fmt::format("{}", fmt::join(parts, "; "));
}

/// A share of the threshold: far above rounding errors, far below a difference that matters.
constexpr double written_rounding = 1e-6;

bool worse(const VariantChange& change, double beyond) {
  if (change.verdict == Verdict::lost) return true;
  return change.verdict == Verdict::slower &&
         change.ratio->low - 1 > beyond * (1 + written_rounding);
}

std::string what_happened(const VariantChange& change) {
  if (change.verdict == Verdict::lost) return "LOST its times";
  return fmt::format("takes {}% longer than before (at least {}%)",
                     format_us(100 * (change.ratio->estimate - 1)),
                     format_us(100 * (change.ratio->low - 1)));
}

std::vector<std::string> failures(const RunChange& runs, double beyond) {
  std::vector<std::string> found;
  for (const WorkloadChange& workload : runs.workloads) {
    for (const VariantChange& change : workload.changes) {
      if (!worse(change, beyond)) continue;
      found.push_back(fmt::format("{} on {} {}", change.variant, label_of(*workload.now),
                                  what_happened(change)));
    }
  }
  return found;
}

/// Returns "--fail-on-slower=5% fails: graph on launch takes 10.2% longer than before (at least
/// 9.81%)...", or that it passes, with the limit. Needs `fail_beyond`.
std::string threshold_verdict(const RunChange& runs) {
  const double beyond = *runs.request.fail_beyond;
  const std::vector<std::string> found = failures(runs, beyond);
  const std::string limit = fmt::format(
      "SLOWER by more than {} of the old time, with the whole interval", percent(beyond));
  const std::string gate = "--fail-on-slower=" + percent(beyond);
  if (found.empty())
    return fmt::format("{} passes: no variant has LOST its times or is {}.", gate, limit);
  return fmt::format("{} fails: {}. The threshold: {}.", gate, fmt::join(found, "; "), limit);
}

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

Page only_in(const char* which, const std::vector<std::string>& names) {
  if (names.empty()) return {};
  return {Bullet{fmt::format("Only in {}: {}.", which, fmt::join(names, "; "))}};
}

bool allows_for_processes(const RunChange& runs) {
  const auto changes = std::views::transform(&WorkloadChange::changes) | std::views::join;
  return std::ranges::any_of(runs.workloads | changes, [](const VariantChange& change) {
    return change.ratio && change.ratio->high != change.measured->high;
  });
}

Paragraph how_to_read(const RunChange& runs) {
  std::string text = fmt::format(
      "Speed: old wall time over new; above 1, new is faster. SAME: the whole interval is within "
      "{} of 1. FASTER, SLOWER: all of it is on that side of 1. UNSURE: neither.",
      percent(runs.request.same_within));
  if (runs.shared_by > 0) {
    text += fmt::format(" Intervals over {}: in 95% of cases all {} of them are right.",
                        runs.request.over_runs ? "runs" : "processes", runs.shared_by);
  }
  if (allows_for_processes(runs)) {
    text += fmt::format(
        " The samples of one process do not show differences between processes, so the interval of "
        "a run in one process is widened by {} each way (--process-spread).",
        percent(runs.request.process_spread));
  }
  return {text};
}

Page next_step(const RunChange& runs) {
  if (!allows_for_processes(runs)) return {};
  const bool unsure = std::ranges::any_of(runs.workloads, [](const WorkloadChange& workload) {
    // A replay runs in the process of its recording.
    if (workload.now->workload.origin() == Origin::recording) return false;
    return includes(workload.changes, Verdict::unsure, &VariantChange::verdict);
  });
  if (!unsure) return {};
  return {Paragraph{"To find smaller differences, give both runs --processes 10."}};
}

std::string extent(const Comparison& comparison, bool over_runs) {
  return fmt::format("{} of {}", counted(comparison.rounds, "round"),
                     counted(comparison.processes, over_runs ? "run" : "process"));
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

Page section(const WorkloadChange& workload, bool over_runs) {
  double longest = 0;
  for (const VariantChange& change : workload.changes) {
    longest = std::max({longest, change.old_us.value_or(0), change.new_us.value_or(0)});
  }
  const Unit unit = unit_up_to(longest);
  const Comparison& now = *workload.now;
  Page page{Heading{label_of(now), now.workload.shape()},
            Paragraph{fmt::format("{}: old {}, new {}. Means of wall times in {}.",
                                  now.mode == Mode::latency ? "Latency" : "Throughput",
                                  extent(*workload.before, over_runs), extent(now, over_runs),
                                  unit.name)},
            table_of(workload, unit)};
  append(page, notes(workload));
  page.push_back(Paragraph{verdict(workload)});
  return page;
}

}  // namespace

std::string label_of(const Comparison& comparison) {
  std::string label = comparison.workload.label();
  if (comparison.wait != Wait::spin) label += std::string(", ") + name_of(comparison.wait);
  return label + place_in_words(comparison);
}

std::string verdict(const WorkloadChange& workload) {
  return fmt::format("{}: {}.", label_of(*workload.now), tally({&workload}, false));
}

std::string verdict(const RunChange& runs) {
  const auto all = transformed(runs.workloads, [](const WorkloadChange& one) { return &one; });
  return fmt::format("In all: {}.", tally(all, true));
}

bool worse(const RunChange& runs, double beyond) { return !failures(runs, beyond).empty(); }

Page origins_page(const RunFile& before, const RunFile& now) {
  Page page{origin("old", before), origin("new", now)};
  const std::vector<ContextDifference> all =
      differences(before.results.context, now.results.context);
  page.push_back(Paragraph{all.empty() ? "No other recorded difference between them."
                                       : "What differs between them:"});
  for (const auto& [what, was, is] : all) {
    page.push_back(Bullet{fmt::format("{}: {}, now {}", what, was, is)});
  }
  return page;
}

Page diff_page(const RunChange& runs) {
  Page page{Heading{"New beside old", "two runs, variant by variant"}, how_to_read(runs)};
  for (const WorkloadChange& workload : runs.workloads)
    append(page, section(workload, runs.request.over_runs));
  append(page, only_in("old", runs.only_before));
  append(page, only_in("new", runs.only_now));
  append(page, origins_page(*runs.before, *runs.now));
  page.push_back(Paragraph{verdict(runs)});  // last, where a terminal shows it
  append(page, next_step(runs));
  if (runs.request.fail_beyond) page.push_back(Paragraph{threshold_verdict(runs)});
  return page;
}

std::string diff_summary(const RunChange& runs) {
  Table table{{"workload", "variant", ">old, us", ">new, us", "speed vs old", "verdict"}, {}};
  const auto time = [](const std::optional<double>& us) { return us ? short_time(*us) : "-"; };
  using enum Verdict;
  for (const WorkloadChange& workload : runs.workloads) {
    for (const VariantChange& change : workload.changes) {
      if (change.verdict != lost && change.verdict != slower && change.verdict != faster) continue;
      table.rows.push_back({label_of(*workload.now), change.variant, time(change.old_us),
                            time(change.new_us), speed_of(change), name_of(change.verdict)});
    }
  }
  Page page{Heading{"Trilane", "new beside old"}, Paragraph{verdict(runs)}};
  if (!table.rows.empty()) page.push_back(std::move(table));
  if (runs.request.fail_beyond) page.push_back(Paragraph{threshold_verdict(runs)});
  return fmt::format("{}\n<details><summary>All variants</summary>\n\n{}\n</details>\n",
                     as_markdown(page), as_markdown(diff_page(runs)));
}

}  // namespace trilane
