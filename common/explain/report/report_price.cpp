#include "common/explain/report/report_price.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/base/text/size.hpp"
#include "common/explain/report/report.hpp"
#include "common/explain/statistics/statistics.hpp"

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

namespace {

/// Returns the section of a run that ended before it priced anything.
Page unpriced(const Comparison& comparison) {
  std::vector<std::string> parts;
  for (const Measurement& m : comparison.measurements) {
    if (m.status != Status::ok) continue;
    parts.push_back(
        fmt::format("{} {} ({})", m.variant, format_us(m.setup_us), format_us(m.first_pass_us)));
  }
  if (parts.empty()) return {Paragraph{"No variant was set up."}};
  return {Paragraph{
      fmt::format("Set-up in us, once each (and the first pass): {}.", fmt::join(parts, ", "))}};
}

}  // namespace

Page setup_page(const Comparison& comparison) {
  Page page{Heading{comparison.workload.label() + ", set-up", comparison.workload.shape()}};
  Priced all;
  for (const Measurement& m : comparison.measurements) {
    if (m.status == Status::ok && m.price && !m.price->setup_us.empty()) all.push_back(&m);
  }
  if (all.empty()) {
    append(page, unpriced(comparison));
    return page;
  }
  append(page, price_table(comparison, all));
  append(page, price_notes(comparison, all));
  return page;
}

}  // namespace trilane
