#include "common/report/price/report_price.hpp"

#include <algorithm>
#include <cmath>

#include "common/analysis/statistics/statistics.hpp"

namespace trilane {

Unit unit_for(const Priced& all) {
  double longest = 0;
  for (const Measurement* m : all) {
    longest = std::max({longest, summary_of(m->price->setup_us).q3, median(m->price->teardown_us),
                        median(m->price->passes_us.front())});
  }
  return unit_up_to(longest);
}

std::string difference(const std::vector<double>& us, Unit unit) {
  constexpr double clock_us = 0.1;
  const Summary summary = summary_of(us);
  const bool around_zero = summary.q1 <= 0 && summary.q3 >= 0;
  if (around_zero || std::abs(summary.median) < clock_us) return "0";
  return (summary.median < 0 ? "-" : "+") + short_time(std::abs(summary.median) / unit.us);
}

std::string price_section(const Comparison& comparison) {
  Priced all;
  for (const Measurement& m : comparison.measurements) {
    if (m.status == Status::ok && m.price && !m.price->setup_us.empty()) all.push_back(&m);
  }
  if (all.empty()) return "";
  return price_table(comparison, all) + price_notes(comparison, all) + '\n';
}

}  // namespace trilane
