#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "common/base/text/size.hpp"
#include "common/explain/analysis/verdict/range_words.hpp"
#include "common/explain/analysis/verdict/verdict.hpp"
#include "common/explain/report/report_price.hpp"
#include "common/explain/statistics/statistics.hpp"

namespace trilane {
namespace {

std::string with_quartiles(const std::vector<double>& us, Unit unit) {
  const Summary summary = summary_of(us);
  return fmt::format("{} [{}, {}]", short_time(summary.median / unit.us),
                     short_time(summary.q1 / unit.us), short_time(summary.q3 / unit.us));
}

/// Returns the extra time of the first pass after a set-up over the last one; "-" if there was only
/// one.
std::string first_cell(const Price& price, Unit unit) {
  if (price.passes_us.size() < 2) return "-";
  std::vector<double> extra = price.passes_us.front();
  std::ranges::transform(extra, price.passes_us.back(), extra.begin(), std::minus<>());
  return difference(extra, unit);
}

std::string pays_cell(const Comparison& comparison, const Measurement& m) {
  if (m.variant == comparison.reference) return "reference";
  return m.break_even ? pays_text(*m.break_even) : "-";
}

std::string explanation(const Comparison& comparison, const Priced& all) {
  const auto setups = [](const Measurement* m) { return m->price->setup_us.size(); };
  const auto [fewest, most] = std::ranges::minmax(all, {}, setups);
  const std::string count = setups(fewest) == setups(most)
                                ? fmt::to_string(setups(most))
                                : fmt::format("{} to {}", setups(fewest), setups(most));
  const Workload& workload = comparison.workload;
  return fmt::format(
      "Set-up in {}, median [quartiles] of {}. Memory: device memory between passes; host buffers "
      "({}) are the same for all. First: extra time of the first pass; 0 means within noise. "
      "Break-even: passes until the extra set-up time is recovered, with {}; tear-down is not "
      "counted.",
      unit_for(all).name, count, format_bytes(workload.bytes + workload.result_total()),
      range_words(covers_of(comparison)).range);
}

}  // namespace

std::string pays_text(const BreakEven& break_even) {
  const bool at_first = break_even.pays == Pays::at_first;
  const auto text = [&](const std::optional<double>& passes) {
    return passes ? passes_text(*passes) : at_first ? "always" : "never";
  };
  std::string pays = (at_first ? "first " : "") + text(break_even.passes);
  if (break_even.pays == Pays::at_once) pays = "at once";
  const bool sure = break_even.low == break_even.high && break_even.low == break_even.passes;
  const bool in_words = break_even.pays == Pays::at_once || break_even.pays == Pays::never;
  if (in_words && sure) return pays;
  return fmt::format("{} [{}, {}]", pays, text(break_even.low), text(break_even.high));
}

Page price_table(const Comparison& comparison, const Priced& all) {
  const Unit unit = unit_for(all);
  Table table{{"variant", ">set-up", ">memory", ">first", ">tear-down", "break-even"},
              {},
              {">tear-down", ">first", ">memory"}};
  for (const Measurement* m : all) {
    const Price& price = *m->price;
    table.rows.push_back({m->variant, with_quartiles(price.setup_us, unit),
                          format_bytes(median_bytes(price.device_bytes)), first_cell(price, unit),
                          short_time(median(price.teardown_us) / unit.us),
                          pays_cell(comparison, *m)});
  }
  return {Paragraph{explanation(comparison, all)}, std::move(table)};
}

}  // namespace trilane
