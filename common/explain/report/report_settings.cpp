#include <fmt/format.h>

#include <algorithm>

#include "common/base/text/words.hpp"
#include "common/explain/report/report.hpp"
#include "common/explain/statistics/interval.hpp"
#include "common/explain/statistics/turns.hpp"
#include "common/model/results/find.hpp"
#include "common/model/results/groups.hpp"

namespace trilane {
namespace {

/// Returns the speed over the first setting.
std::string speed(const Measurement& first, const Measurement& m) {
  if (first.samples.empty() || m.samples.empty()) return "-";
  const auto before = by_process(turn_means(first.samples)),
             now = by_process(turn_means(m.samples));
  if (before.size() == 1 || now.size() == 1) {
    return fmt::format("{:.3f}, one process", pass_us(first.samples) / pass_us(m.samples));
  }
  const Ratio ratio = interval_of(
      as_of_another_run(difference(mean_over_processes(before), mean_over_processes(now))));
  return ratio.tie()
             ? fmt::format("tie [{:.3f}, {:.3f}]", ratio.low, ratio.high)
             : fmt::format("{:.3f} [{:.3f}, {:.3f}]", ratio.estimate, ratio.low, ratio.high);
}

std::string overlap(const Comparison& comparison, const Measurement& m) {
  if (!comparison.limit || m.plan.maps_host) return "-";
  return fmt::format("{:.2f}", comparison.limit->serial_us / m.wall->mean);
}

using Row = std::vector<std::string>;

Row row_of(const Comparison& comparison, const Group& group, const Measurement& m,
           const Measurement& first) {
  Row row{m.variant, setting_of(comparison, group)};
  if (m.status != Status::ok || !m.wall) {
    row.insert(row.end(), {"-", "-", "-", name_of(m.status)});
    return row;
  }
  row.insert(row.end(),
             {short_time(m.submit->mean), short_time(m.wall->mean), overlap(comparison, m)});
  const bool comparable = first.status == Status::ok && first.wall;
  row.push_back(&m == &first ? "reference" : comparable ? speed(first, m) : "-");
  return row;
}

std::vector<Row> rows_of(const Group& group) {
  std::vector<Row> rows;
  for (const Measurement& first : group.front()->measurements) {
    for (const Comparison* comparison : group) {
      if (const Measurement* m = find_variant(*comparison, first.variant)) {
        rows.push_back(row_of(*comparison, group, *m, first));
      }
    }
  }
  return rows;
}

/// Submit time is dropped first: each comparison's own table has it.
Table table_of(const Group& group) {
  return {{"variant", "setting", ">submit", ">wall", ">overlap",
           "vs " + setting_of(*group.front(), group)},
          rows_of(group),
          {">submit", ">overlap"}};
}

}  // namespace

Page settings_page(std::span<const Comparison> comparisons, const std::string& simulated) {
  Page page;
  for (const Group& group : groups_of(comparisons, same_work)) {
    append(page,
           {Heading{group.front()->workload.name + ", across processes",
                    "host memory and waiting side by side"},
            table_of(group),
            Paragraph{fmt::format(
                "Means in us{}. Overlap: time of all stages in turn over wall time. Every setting "
                "runs in its own process with its own buffers; where these lie can make a "
                "difference of a few percent.",
                simulated.empty() ? "" : ", simulated")}});
  }
  return page;
}

}  // namespace trilane
