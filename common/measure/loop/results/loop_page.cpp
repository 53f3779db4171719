#include "common/measure/loop/results/loop_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>

#include "common/base/text/size.hpp"
#include "common/base/text/words.hpp"
#include "common/measure/loop/results/loop_map.hpp"
#include "common/measure/loop/results/loop_words.hpp"

namespace trilane {
namespace {

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
  Table table{{"told by", "restart by", ">items/s", ">of the most", ">told us", ">p99", ">gap us",
               ">p99 ", ">idle", ">CPUs"},
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

/// Returns the contenders with that status by reason, each `name` once.
std::map<std::string, std::vector<std::string>> by_reason(
    const LoopComparison& comparison, LoopStatus status,
    const std::function<std::string(const LoopMeasurement&)>& name) {
  std::map<std::string, std::vector<std::string>> all;
  for (const LoopMeasurement& m : comparison.measurements) {
    if (m.status != status) continue;
    std::vector<std::string>& names = all[m.reason];
    if (std::ranges::find(names, name(m)) == names.end()) names.push_back(name(m));
  }
  return all;
}

void add_failures(Page& page, const LoopComparison& comparison, const std::string& where = "") {
  for (const LoopStatus status : {LoopStatus::failed, LoopStatus::not_run}) {
    for (const auto& [reason, names] : by_reason(comparison, status, contender_name)) {
      page.emplace_back(
          Bullet{fmt::format("{}{}: {}: {}", where, listed(names), name_of(status), reason)});
    }
  }
}

/// Adds what notifications lack; each lacks the same with either resubmission.
void add_lacking(Page& page, const LoopComparison& comparison) {
  const auto teller = [](const LoopMeasurement& m) { return m.teller; };
  for (const LoopStatus status : {LoopStatus::not_modelled, LoopStatus::not_supported}) {
    for (const auto& [reason, names] : by_reason(comparison, status, teller)) {
      page.emplace_back(Bullet{fmt::format("{}: {}: {}", listed(names), name_of(status), reason)});
    }
  }
}

Page page_of(const LoopComparison& comparison) {
  Page page{
      Heading{comparison.loop.name, lanes_of(comparison.loop) + ", " + times_of(comparison.loop)},
      Paragraph{verdict_words(comparison)}, Paragraph{checked_words(std::array{&comparison})}};
  if (const auto verdict = verdict_of(comparison)) {
    page.emplace_back(table_of(comparison, *verdict->best.fastest));
    std::string notes = fmt::format(
        "told: from the end of an item on the device until the host knows, to within {} us. gap: "
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

Page loops_page(const LoopResults& results, LoopDetail detail) {
  Page page;
  if (!results.context.simulated.empty()) {
    page.emplace_back(Paragraph{fmt::format(
        "Simulated {}: all times are predicted, with an error that is not known for loops. "
        "The check of a result takes no time.",
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
