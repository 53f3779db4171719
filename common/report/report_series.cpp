#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "common/report/report.hpp"
#include "common/results/find.hpp"
#include "common/results/groups.hpp"
#include "common/text/size.hpp"
#include "common/text/words.hpp"

namespace trilane {
namespace {

/// The number of chunks with which each variant is fastest, and its median wall time.
Table table_of(const Group& series) {
  Table table{{"variant", ">chunks", ">wall"}, {}};
  for (const Measurement& first : series.front()->measurements) {
    double us = std::numeric_limits<double>::infinity();
    std::uint32_t chunks = 0;
    for (const Comparison* comparison : series) {
      const Measurement* const m = find_variant(*comparison, first.variant);
      if (!m || !m->wall || m->wall->median >= us) continue;
      us = m->wall->median;
      chunks = comparison->workload.chunks();
    }
    if (chunks > 0) table.rows.push_back({first.variant, fmt::to_string(chunks), short_time(us)});
  }
  return table;
}

std::string by_formula(const Group& series) {
  const Limit* lowest = nullptr;
  for (const Comparison* comparison : series) {
    const auto& limit = comparison->limit;
    if (!limit || !limit->best) continue;
    if (!lowest || limit->bound_us < lowest->bound_us) lowest = &*limit;
  }
  if (!lowest) return "";
  return fmt::format(" By the formula {} would give the lowest bound, {} us.",
                     counted(lowest->best->chunks, "chunk"), format_us(lowest->best->bound_us));
}

/// The shape that all comparisons of the series share.
std::string details_of(const Group& series) {
  const Workload& workload = series.front()->workload;
  const std::string details =
      fmt::format("{} in {} to {} chunks, {}", format_bytes(workload.bytes), workload.chunks(),
                  series.back()->workload.chunks(), workload.shape_of_lanes());
  const Wait wait = series.front()->wait;
  return wait == Wait::spin ? details : fmt::format("{}, the host {}s", details, name_of(wait));
}

Page page_of(const Group& series, const std::string& simulated) {
  return {Heading{series.front()->workload.name + ", by chunks", details_of(series)},
          Paragraph{fmt::format(
              "The number of chunks with which each variant is fastest, and its median in us{}.{}",
              simulated.empty() ? "" : ", simulated", by_formula(series))},
          table_of(series)};
}

}  // namespace

Page series_page(std::span<const Comparison> comparisons, const std::string& simulated) {
  Page page;
  for (Group& series : groups_of(comparisons, same_pass)) {
    std::ranges::sort(series, {}, [](const Comparison* c) { return c->workload.chunks(); });
    append(page, page_of(series, simulated));
  }
  return page;
}

}  // namespace trilane
