#include <fmt/format.h>

#include <algorithm>

#include "common/base/text/words.hpp"
#include "common/explain/analysis/verdict/answers.hpp"
#include "common/explain/analysis/verdict/range_words.hpp"
#include "common/explain/report/screen/screen_parts.hpp"
#include "common/explain/statistics/variant_ratio.hpp"

namespace trilane {
namespace {

/// Returns the variant's rank of interest to a person: 0 is highest.
int rank_of(const Comparison& comparison, const Measurement& m) {
  if (m.variant == comparison.reference) return 0;
  if (went_wrong(m.status)) return 1;
  if (std::ranges::find(comparison.winners, m.variant, &Winner::variant) !=
      comparison.winners.end()) {
    return 2;
  }
  for (const Change change : all_changes) {
    if (&m == find_change(comparison, change)) return 3;
  }
  return m.status == Status::ok ? 4 : 5;
}

/// Returns the variants to show, in the order of the comparison.
std::vector<const Measurement*> shown(const Comparison& comparison, std::size_t most) {
  std::vector<const Measurement*> all;
  for (const Measurement& m : comparison.measurements) all.push_back(&m);
  std::ranges::stable_sort(all, {}, [&](const Measurement* m) { return rank_of(comparison, *m); });
  if (all.size() > most) all.resize(most);
  std::ranges::sort(all, {}, [](const Measurement* m) { return m; });
  return all;
}

std::string speed_with_interval(const Comparison& comparison, const Measurement& m) {
  if (m.status != Status::ok) return name_of(m.status);
  if (m.variant == comparison.reference) return "reference";
  if (!m.ratio || !m.wall) return "-";
  if (!decides(*m.ratio)) return why_undecided(m.ratio->covers);
  const std::string speed = speed_cell(comparison, m);
  return fmt::format("{} [{}, {}]", speed, short_speed(1 / m.ratio->high),
                     short_speed(1 / m.ratio->low));
}

}  // namespace

Rows variant_rows(const Comparison& comparison, std::size_t most) {
  Table table{{"", ">wall, us", ">submit, us",
               fmt::format("speed [{}]", range_words(covers_of(comparison))), "tier"},
              {},
              {"tier", ">submit, us"}};
  for (const Measurement* m : shown(comparison, most)) {
    const bool timed = m->status == Status::ok && m->wall;
    table.rows.push_back({m->variant, timed ? short_time(m->wall->mean) : "-",
                          timed ? short_time(m->submit->mean) : "-",
                          speed_with_interval(comparison, *m), name_of(tier_of(m->plan.model))});
  }
  std::string note;
  if (comparison.limit) {
    note = fmt::format("Limit, chunk by chunk: {} us.", short_time(comparison.limit->bound_us));
  }
  const std::size_t left = comparison.measurements.size() - table.rows.size();
  if (left > 0) note += fmt::format(" {} not shown.", counted(left, "more variant"));
  if (comparison.workload.origin() == Origin::recording) {
    table = without_column(std::move(table), "tier");
  }
  return {without_empty(std::move(table)), {note}};
}

}  // namespace trilane
