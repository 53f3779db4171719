#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "common/analysis/limits/limitation.hpp"
#include "common/analysis/limits/loads.hpp"
#include "common/report/report_parts.hpp"
#include "common/text/markdown.hpp"
#include "common/text/size.hpp"

namespace trilane {
namespace {

/// If long names leave no room, the last columns are dropped.
std::string table_of(const Comparison& comparison) {
  Table table{{"variant", ">bound", ">efficiency", "bound by", "limited by"}, {}};
  for (const Measurement& m : comparison.measurements) {
    if (!m.bound_us) continue;
    const std::optional<Limiter> limit = limitation_of(comparison, m).by;
    table.rows.push_back({m.variant, format_us(*m.bound_us),
                          fmt::format("{:.1f}%", 100 * *m.efficiency), name_of(*m.bound_by),
                          limit ? name_of(*limit) : ""});
  }
  return table.rows.empty() ? ""
                            : markdown_table(fitted(std::move(table), {"limited by", "bound by"}));
}

/// What the bounds leave out.
std::string reservation(const Comparison& comparison) {
  const auto others = [&](const Measurement& m) {
    return m.bound_us && !copies_each_chunk(m.plan.model, comparison.workload) && !m.plan.blocks;
  };
  if (kernel_us(comparison) >= short_us || std::ranges::none_of(comparison.measurements, others)) {
    return "";
  }
  return fmt::format(
      " Kernels shorter than {} us are left out of the bounds of variants that do not copy chunk "
      "by chunk.",
      format_us(short_us));
}

std::string explanation(const Comparison& comparison) {
  const Limit& limit = *comparison.limit;
  std::string text =
      fmt::format("Bounds of a pass in us: all stages in turn {}; chunk by chunk, overlapping {}",
                  format_us(limit.serial_us), format_us(limit.bound_us));
  if (limit.one_engine_us) {
    text += fmt::format(", with one copy engine for both ways {}", format_us(*limit.one_engine_us));
  }
  return text +
         ". Efficiency: the bound of a variant, host submission included, over its wall time. "
         "Limited by: what takes most of the wall time." +
         reservation(comparison);
}

std::string copies(const Limit& limit) {
  if (!limit.copies_in || !limit.copies_out) return "";
  return bullet(
      fmt::format("A copy in takes {} us and {} us per MiB, a copy out {} and {}.",
                  format_us(limit.copies_in->start_us), format_us(limit.copies_in->us_per_mib),
                  format_us(limit.copies_out->start_us), format_us(limit.copies_out->us_per_mib)));
}

std::string calls(const Limit& limit) {
  if (!limit.calls_us) return "";
  std::string text;
  for (const CallCost& call : *limit.calls_us) {
    text += fmt::format("{} {} {}", text.empty() ? "" : ",", call.name, format_us(call.us));
  }
  return bullet("Host time of a call in us:" + text + ".");
}

/// What the best number of chunks would gain.
std::string best_cut(const Workload& workload, const Limit& limit) {
  if (!limit.best) return "";
  constexpr double notable = 0.99;
  const std::uint32_t chunks = limit.best->chunks;
  if (limit.best->bound_us > notable * limit.bound_us) {
    return bullet("No number of chunks would bring the overlapping bound down by 1%.");
  }
  return bullet(
      fmt::format("{} of {} would bring the overlapping bound from {} to {} us, by the formula.",
                  counted(chunks, "chunk"), format_bytes(workload.bytes / chunks),
                  format_us(limit.bound_us), format_us(limit.best->bound_us)));
}

}  // namespace

std::string bounds_section(const Comparison& comparison) {
  if (!comparison.limit) return "";
  const std::string table = table_of(comparison);
  if (table.empty()) return "";
  const Limit& limit = *comparison.limit;
  const std::string list = best_cut(comparison.workload, limit) + copies(limit) + calls(limit);
  return fmt::format("{}\n{}\n{}{}", paragraph(explanation(comparison)), table, list,
                     list.empty() ? "" : "\n");
}

}  // namespace trilane
