#include "common/measure/loop/results/loop_verdict.hpp"

#include "common/base/text/size.hpp"
#include "common/base/text/words.hpp"
#include "common/explain/statistics/statistics.hpp"

namespace trilane {
namespace {

bool is_of(const LoopFamily& family, const LoopComparison& comparison) {
  Loop loop = comparison.loop;
  const Loop& first = family.front()->loop;
  loop.kernel_us = first.kernel_us;
  loop.analysis_us = first.analysis_us;
  loop.rounds = first.rounds;
  return loop == first;
}

std::set<double> values_of(const LoopFamily& family, double Loop::*member) {
  std::set<double> values;
  for (const LoopComparison* comparison : family) values.insert(comparison->loop.*member);
  return values;
}

std::string words_of(double us) { return us == 0 ? "no analysis" : time_in_words(us); }

/// Returns the notification, with its resubmission if the other is worse. "*": another one ties.
std::string winner_cell(const LoopPick& pick) {
  const auto is_same_notification = [&](const LoopMeasurement* m) {
    return m->teller == pick.contender->teller;
  };
  const bool either_way = std::ranges::any_of(pick.tied, is_same_notification);
  const bool shared = !std::ranges::all_of(pick.tied, is_same_notification);
  return pick.contender->teller +
         (either_way ? "" : std::string(" ") + name_of(pick.contender->resubmission)) +
         (shared ? " *" : "");
}

enum class Among { all, cheap };

std::string cell_of(const LoopComparison& comparison, Among among) {
  const auto verdict = verdict_of(comparison);
  const bool cheap = among == Among::cheap;
  if (!verdict || (cheap && !verdict->cheap)) return "-";
  if (!verdict->decided) return "unclear";
  return winner_cell(cheap ? *verdict->cheap : verdict->best);
}

Table table_of(const LoopFamily& family, Among among) {
  const std::set<double> columns = values_of(family, &Loop::analysis_us);
  Table table{{"kernel"}, {}, {}};
  for (const double analysis_us : columns) table.heads.push_back(words_of(analysis_us));
  for (const double kernel_us : values_of(family, &Loop::kernel_us)) {
    std::vector<std::string> row{time_in_words(kernel_us)};
    for (const double analysis_us : columns) {
      const auto here = std::ranges::find_if(family, [&](const LoopComparison* one) {
        return one->loop.kernel_us == kernel_us && one->loop.analysis_us == analysis_us;
      });
      row.push_back(here == family.end() ? "" : cell_of(**here, among));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

bool knows_cpu(const LoopFamily& family) {
  return std::ranges::any_of(family, [](const LoopComparison* comparison) {
    return std::ranges::any_of(measured_contenders(*comparison), [](const LoopMeasurement* m) {
      return cpu_of(m->turns).has_value();
    });
  });
}

/// Returns "0.87 [0.85, 0.88]", "same", or "unclear": a contender's items per second over the best.
std::string share_cell(const LoopMeasurement& m, const LoopMeasurement& fastest) {
  if (&m == &fastest) return "1";
  const Ratio ratio = rate_ratio(m, fastest);
  if (!decides(ratio)) return "unclear";
  if (!is_loss(ratio)) return "same";
  return fmt::format("{:.2f} [{:.2f}, {:.2f}]", ratio.estimate, ratio.low, ratio.high);
}

std::string us_or_dash(const std::optional<double>& us) { return us ? format_us(*us) : "-"; }

std::vector<std::string> row_of(const LoopMeasurement& m, const LoopMeasurement& fastest) {
  const LoopFigures f = figures_of(m.turns);
  return {m.teller,
          name_of(m.resubmission),
          fmt::format("{:.0f}", f.items_per_second),
          share_cell(m, fastest),
          format_us(f.told_us),
          format_us(f.told_p99_us),
          us_or_dash(f.restart_us),
          us_or_dash(f.restart_p99_us),
          percent(f.idle, 1),
          f.cpu ? fmt::format("{:.2f}", *f.cpu) : "-"};
}

Table table_of(const LoopComparison& comparison, const LoopMeasurement& fastest) {
  Table table{{"notification", "restart by", ">items/s", ">of the most", ">delay us", ">p99",
               ">gap us", ">p99 ", ">idle", ">CPUs"},
              {},
              {">p99 ", ">idle"}};
  for (const LoopMeasurement* m : measured_contenders(comparison)) {
    table.rows.push_back(row_of(*m, fastest));
  }
  return table;
}

double clock_error_us(const LoopComparison& comparison) {
  double error = 0;
  for (const LoopMeasurement& m : comparison.measurements) {
    if (!m.turns.empty()) error = std::max(error, figures_of(m.turns).clock_error_us);
  }
  return error;
}

/// Adds a bullet for each reason of a status, with the names of the contenders that have it.
template <typename Name>
void add_missing(Page& page, const LoopComparison& comparison, LoopStatus status, Name name,
                 const std::string& where = "") {
  std::map<std::string, std::vector<std::string>> by_reason;
  for (const LoopMeasurement& m : comparison.measurements) {
    if (m.status != status) continue;
    std::vector<std::string>& names = by_reason[m.reason];
    if (!includes(names, std::invoke(name, m))) names.push_back(std::invoke(name, m));
  }
  for (const auto& [reason, names] : by_reason) {
    page.emplace_back(
        Bullet{fmt::format("{}{}: {}: {}", where, listed(names), name_of(status), reason)});
  }
}

void add_failures(Page& page, const LoopComparison& comparison, const std::string& where = "") {
  add_missing(page, comparison, LoopStatus::failed, contender_name, where);
  add_missing(page, comparison, LoopStatus::not_run, contender_name, where);
}

void add_lacking(Page& page, const LoopComparison& comparison) {
  add_missing(page, comparison, LoopStatus::not_modelled, &LoopMeasurement::teller);
  add_missing(page, comparison, LoopStatus::not_supported, &LoopMeasurement::teller);
}

/// Returns what any intervals cover, like "Intervals are for another run of 5 processes."
std::string covers_words(const LoopComparison& comparison, const LoopMeasurement& fastest) {
  auto others = measured_contenders(comparison);
  std::erase(others, &fastest);
  if (others.empty()) return "";
  const bool over_processes = std::ranges::all_of(others, [&](const LoopMeasurement* m) {
    return rate_ratio(*m, fastest).covers == Covers::processes;
  });
  if (!over_processes) return "Intervals cover only this process.";
  return fmt::format("Intervals are for another run of {} processes.",
                     *fastest.turns.back().process + 1);
}

Page page_of(const LoopComparison& comparison) {
  Page page{
      Heading{comparison.loop.name, lanes_of(comparison.loop) + ", " + times_of(comparison.loop)},
      Paragraph{verdict_words(comparison)}, Paragraph{checked_words(std::array{&comparison})}};
  if (const auto verdict = verdict_of(comparison)) {
    page.emplace_back(table_of(comparison, *verdict->best.fastest));
    std::string notes = fmt::format(
        "delay: from the end of an item on the device until the host knows, to within {} us. gap: "
        "from the end to the lane's next start on the device.",
        format_us(clock_error_us(comparison)));
    const std::string covers = covers_words(comparison, *verdict->best.fastest);
    page.emplace_back(Paragraph{covers.empty() ? notes : notes + ' ' + covers});
  }
  add_failures(page, comparison);
  add_lacking(page, comparison);
  return page;
}

Page map_page(const LoopFamily& family) {
  Page page{Heading{family.front()->loop.name, lanes_of(family.front()->loop)}};
  append(page, map_of(family));
  page.emplace_back(Paragraph{checked_words(family)});
  for (const LoopComparison* comparison : family) {
    add_failures(page, *comparison, times_of(comparison->loop) + ": ");
  }
  add_lacking(page, *family.front());
  return page;
}

}  // namespace

std::vector<LoopFamily> families_of(const std::vector<LoopComparison>& comparisons) {
  std::vector<LoopFamily> families;
  for (const LoopComparison& comparison : comparisons) {
    const auto family = std::ranges::find_if(
        families, [&](const LoopFamily& some) { return is_of(some, comparison); });
    if (family == families.end()) {
      families.push_back({&comparison});
    } else {
      family->push_back(&comparison);
    }
  }
  return families;
}

Page map_of(const LoopFamily& family) {
  Page page{Paragraph{"The most items/s, by kernel time and analysis time:"},
            table_of(family, Among::all)};
  if (knows_cpu(family)) {
    page.emplace_back(
        Paragraph{fmt::format("The same among those that use less than {} CPUs:", cheap_cpu)});
    page.emplace_back(table_of(family, Among::cheap));
  }
  page.emplace_back(
      Paragraph{"A resubmission is named if the other one completes fewer items. *: another "
                "notification shows no difference."});
  return page;
}

Page loops_page(const LoopResults& results, LoopDetail detail) {
  Page page;
  if (!results.context.simulated.empty()) {
    page.emplace_back(
        Paragraph{fmt::format("Simulated {}: all times are predicted, and the error for loops is "
                              "not known. Checking a result takes no time.",
                              results.context.simulated)});
  }
  for (const LoopFamily& family : families_of(results.loops)) {
    if (family.size() > 1) append(page, map_page(family));
    if (family.size() > 1 && detail == LoopDetail::map) continue;
    for (const LoopComparison* comparison : family) append(page, page_of(*comparison));
  }
  return page;
}

}  // namespace trilane
