#include "common/measure/loop/results/loop_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "common/base/text/size.hpp"
#include "common/measure/loop/results/loop_verdict.hpp"

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

/// Returns the notification, with its resubmission if the other resubmission is worse. "*": another
/// notification ties.
std::string winner_cell(const LoopPick& pick) {
  const auto is_same_teller = [&](const LoopMeasurement* m) {
    return m->teller == pick.contender->teller;
  };
  const bool either_way = std::ranges::any_of(pick.tied, is_same_teller);
  const bool shared = !std::ranges::all_of(pick.tied, is_same_teller);
  return pick.contender->teller +
         (either_way ? "" : std::string(" ") + name_of(pick.contender->resubmission)) +
         (shared ? " *" : "");
}

std::string best_cell(const LoopComparison& comparison) {
  const auto verdict = verdict_of(comparison);
  if (!verdict) return "-";
  return verdict->decided ? winner_cell(verdict->best) : "unclear";
}

std::string cheap_cell(const LoopComparison& comparison) {
  const auto verdict = verdict_of(comparison);
  if (!verdict || !verdict->cheap) return "-";
  return verdict->decided ? winner_cell(*verdict->cheap) : "unclear";
}

Table table_of(const LoopFamily& family, std::string (*cell)(const LoopComparison&)) {
  const std::set<double> columns = values_of(family, &Loop::analysis_us);
  Table table{{"kernel"}, {}, {}};
  for (const double analysis_us : columns) table.heads.push_back(words_of(analysis_us));
  for (const double kernel_us : values_of(family, &Loop::kernel_us)) {
    std::vector<std::string> row{time_in_words(kernel_us)};
    for (const double analysis_us : columns) {
      const auto here = std::ranges::find_if(family, [&](const LoopComparison* one) {
        return one->loop.kernel_us == kernel_us && one->loop.analysis_us == analysis_us;
      });
      row.push_back(here == family.end() ? "" : cell(**here));
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
            table_of(family, best_cell)};
  if (knows_cpu(family)) {
    page.emplace_back(
        Paragraph{fmt::format("The same among those that use less than {} CPUs:", cheap_cpu)});
    page.emplace_back(table_of(family, cheap_cell));
  }
  page.emplace_back(
      Paragraph{"A resubmission is named where the other one gets less done. * another teller "
                "shows no difference."});
  return page;
}

}  // namespace trilane
