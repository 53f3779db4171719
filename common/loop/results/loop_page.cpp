#include "common/loop/results/loop_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "common/loop/results/loop_figures.hpp"
#include "common/text/size.hpp"
#include "common/text/words.hpp"

namespace trilane {
namespace {

std::string us_or_dash(const std::optional<double>& us) { return us ? format_us(*us) : "-"; }

std::vector<std::string> row_of(const LoopMeasurement& m, const LoopFigures& f) {
  return {m.teller,
          name_of(m.resubmission),
          fmt::format("{:.0f}", f.items_per_second),
          format_us(f.told_us),
          format_us(f.told_p99_us),
          us_or_dash(f.restart_us),
          us_or_dash(f.restart_p99_us),
          percent(f.idle, 1),
          f.cpu ? fmt::format("{:.2f}", *f.cpu) : "-"};
}

Table table_of(const LoopComparison& comparison) {
  Table table{{"told by", "restarted by", ">items/s", ">told us", ">p99", ">restart us", ">p99 ",
               ">idle", ">CPUs"},
              {},
              {}};
  for (const LoopMeasurement& m : comparison.measurements) {
    if (m.status == LoopStatus::ok && !m.turns.empty()) {
      table.rows.push_back(row_of(m, figures_of(m.turns)));
    }
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

/// By reason, the tellers that lack it.
std::map<std::string, std::vector<std::string>> not_modelled(const LoopComparison& comparison) {
  std::map<std::string, std::vector<std::string>> all;
  for (const LoopMeasurement& m : comparison.measurements) {
    if (m.status != LoopStatus::not_modelled) continue;
    std::vector<std::string>& tellers = all[m.reason];
    if (std::ranges::find(tellers, m.teller) == tellers.end()) tellers.push_back(m.teller);
  }
  return all;
}

Page page_of(const LoopComparison& comparison) {
  Page page{Heading{comparison.loop.name, shape_of(comparison.loop)}};
  if (const Table table = table_of(comparison); !table.rows.empty()) {
    page.emplace_back(table);
    page.emplace_back(Paragraph{fmt::format(
        "told: from the end of an item on the device until the host knows, to within {} us; "
        "restart: until the lane's next start. Every result was checked.",
        format_us(clock_error_us(comparison)))});
  }
  for (const LoopMeasurement& m : comparison.measurements) {
    if (m.status == LoopStatus::failed) {
      page.emplace_back(
          Bullet{fmt::format("{}, {}: failed: {}", m.teller, name_of(m.resubmission), m.reason)});
    }
  }
  for (const auto& [reason, tellers] : not_modelled(comparison)) {
    page.emplace_back(Bullet{fmt::format("{}: not modelled: {}", listed(tellers), reason)});
  }
  return page;
}

}  // namespace

Page loops_page(const LoopResults& results) {
  Page page;
  if (!results.context.simulated.empty()) {
    page.emplace_back(Paragraph{
        fmt::format("Simulated {}: no time is measured, and the check of a result takes none.",
                    results.context.simulated)});
  }
  for (const LoopComparison& comparison : results.loops) append(page, page_of(comparison));
  return page;
}

}  // namespace trilane
