#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "common/report/report.hpp"
#include "common/report/report_parts.hpp"
#include "common/text/markdown.hpp"
#include "common/text/size.hpp"

namespace trilane {
namespace {

using Cuts = std::vector<const Comparison*>;

/// Whether they differ only in the number of chunks.
bool same_pass(const Comparison& one, const Comparison& other) {
  Workload workload = other.workload;
  workload.modified = one.workload.modified;
  workload.chunk_bytes = one.workload.chunk_bytes;
  workload.result_bytes = one.workload.result_bytes;
  return one.workload == workload && one.wait == other.wait;
}

/// The comparisons of each pass, sorted by the number of chunks.
std::vector<Cuts> all_series(std::span<const Comparison> comparisons) {
  std::vector<Cuts> all;
  for (const Comparison& comparison : comparisons) {
    const auto found = std::ranges::find_if(
        all, [&](const Cuts& series) { return same_pass(*series.front(), comparison); });
    (found == all.end() ? all.emplace_back() : *found).push_back(&comparison);
  }
  std::erase_if(all, [](const Cuts& series) { return series.size() < 2; });
  for (Cuts& series : all) {
    std::ranges::sort(series, {}, [](const Comparison* c) { return c->workload.chunks(); });
  }
  return all;
}

struct Fastest {
  double us = 0;
  std::uint32_t chunks = 0;
};

Table table_of(const Cuts& series) {
  std::map<std::string, Fastest> fastest;
  for (const Comparison* comparison : series) {
    for (const Measurement& m : comparison->measurements) {
      if (m.status != Status::ok || !m.wall) continue;
      const Fastest found{m.wall->median, comparison->workload.chunks()};
      const auto [place, is_first] = fastest.try_emplace(m.variant, found);
      if (!is_first && found.us < place->second.us) place->second = found;
    }
  }
  Table table{{{"variant", Align::left}, {"chunks", Align::right}, {"wall", Align::right}}, {}};
  for (const Measurement& m : series.front()->measurements) {  // keeps their order
    const auto found = fastest.find(m.variant);
    if (found == fastest.end()) continue;
    const auto& [us, chunks] = found->second;
    table.rows.push_back({m.variant, fmt::format("{}", chunks), short_time(us)});
  }
  return table;
}

std::string by_formula(const Cuts& series) {
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

/// What the series is, and what distinguishes it from others.
std::string details_of(const Cuts& cuts) {
  const Workload& workload = cuts.front()->workload;
  std::string details = fmt::format("{} in {} to {} chunks, {}, depth {}, {}",
                                    format_bytes(workload.bytes), workload.chunks(),
                                    cuts.back()->workload.chunks(), counted(workload.lanes, "lane"),
                                    workload.depth, counted(workload.rounds, "round"));
  if (workload.order == Order::breadth_first) details += ", breadth first";
  if (workload.host_memory != HostMemory::pinned) {
    details += fmt::format(", {} host memory", name_of(workload.host_memory));
  }
  const Wait wait = cuts.front()->wait;
  return wait == Wait::spin ? details : fmt::format("{}, the host {}s", details, name_of(wait));
}

std::string section_of(const Cuts& cuts, const std::string& simulated) {
  const std::string what = fmt::format(
      "The number of chunks with which each variant is fastest, and its median in us{}.{}",
      simulated.empty() ? "" : ", simulated", by_formula(cuts));
  return fmt::format(
      "{}\n{}\n{}\n",
      markdown_heading(cuts.front()->workload.name + ", by chunks", details_of(cuts)),
      paragraph(what), markdown_table(table_of(cuts)));
}

}  // namespace

std::string series_section(std::span<const Comparison> comparisons, const std::string& simulated) {
  std::string text;
  for (const Cuts& series : all_series(comparisons)) text += section_of(series, simulated);
  return text;
}

}  // namespace trilane
