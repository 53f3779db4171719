#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "common/base/text/words.hpp"
#include "common/explain/analysis/verdict/answers.hpp"
#include "common/explain/analysis/verdict/winners.hpp"
#include "common/explain/report/screen/screen_parts.hpp"
#include "common/model/results/find.hpp"

namespace trilane {
namespace {

constexpr char moved_mark[] = " *";

/// A column of speeds: a variant, or a change.
struct SpeedColumn {
  std::string head;
  std::optional<Change> change;
};

/// Returns a column for each variant except the reference, if there are few; otherwise graph and
/// pool.
std::vector<SpeedColumn> speed_columns(const std::vector<Comparison>& comparisons,
                                       const std::string& reference) {
  constexpr std::size_t few = 3;  // with all other columns they fit
  std::vector<SpeedColumn> columns;
  for (const Comparison& comparison : comparisons) {
    for (const Measurement& m : comparison.measurements) {
      if (m.variant == reference ||
          std::ranges::find(columns, m.variant, &SpeedColumn::head) != columns.end())
        continue;
      columns.push_back({m.variant, std::nullopt});
      if (columns.size() > few) return {{"graph", Change::graph}, {"pool", Change::pool}};
    }
  }
  return columns;
}

std::string cell_of(const Comparison& comparison, const SpeedColumn& column) {
  const Measurement* m = column.change ? find_change(comparison, *column.change)
                                       : find_variant(comparison, column.head);
  return m && was_timed(*m) && m->wall ? speed_cell(comparison, *m) : "-";
}

std::string winner_cell(const Comparison& comparison, const Winner* winner) {
  const Measurement* m = winner ? find_variant(comparison, winner->variant) : nullptr;
  if (!m || !m->wall) return "-";
  const char* mark = winner->tier == Tier::moved_together ? moved_mark : "";
  if (m->variant == comparison.reference) return m->variant;
  const std::string speed = speed_cell(comparison, *m);
  return speed == not_told ? speed : fmt::format("{} {}{}", m->variant, speed, mark);
}

std::string reference_time(const Comparison& comparison) {
  const Measurement* reference = find_reference(comparison);
  return reference && reference->wall ? short_time(reference->wall->mean) : "-";
}

/// Returns the one reference of all; empty if they differ.
std::string common_reference(const std::vector<Comparison>& comparisons) {
  std::string common;
  for (const Comparison& comparison : comparisons) {
    if (comparison.reference.empty()) continue;
    if (!common.empty() && common != comparison.reference) return "";
    common = comparison.reference;
  }
  return common;
}

bool any_cell(const Table& table, std::string_view part) {
  return std::ranges::any_of(table.rows, [&](const std::vector<std::string>& row) {
    return std::ranges::any_of(
        row, [&](const std::string& cell) { return cell.find(part) != cell.npos; });
  });
}

}  // namespace

Rows workload_rows(const std::vector<Comparison>& comparisons, std::size_t most) {
  const std::string reference = common_reference(comparisons);
  const bool predicted = std::ranges::any_of(comparisons, is_predicted);
  const std::vector<SpeedColumn> columns = speed_columns(comparisons, reference);
  Table table{{"", ">" + (reference.empty() ? "reference" : reference) + ", us"},
              {},
              {">limit, us", ">pool"}};
  for (const SpeedColumn& column : columns) table.heads.push_back(">" + column.head);
  table.heads.insert(table.heads.end(), {"best, same stages", "best rewrite", ">limit, us"});
  for (const Comparison& c : comparisons) {
    if (table.rows.size() == most) break;
    std::vector<std::string> row{row_label(c, comparisons), reference_time(c)};
    for (const SpeedColumn& column : columns) row.push_back(cell_of(c, column));
    row.insert(row.end(),
               {winner_cell(c, best_kept(c)), winner_cell(c, winner_of(c, Tier::rewritten)),
                c.limit ? short_time(c.limit->bound_us) : "-"});
    table.rows.push_back(std::move(row));
  }
  std::string note;
  if (!reference.empty()) {
    note = fmt::format("2x: twice as fast as {}", reference);
    note += predicted ? "." : "; same: no difference, or below 1%.";
  }
  if (any_cell(table, moved_mark)) note += " *: copies all chunks together.";
  if (any_cell(table, not_told)) {
    note += predicted ? " ?: not told apart, within the model's error." : " ?: too few rounds.";
  }
  const std::size_t left = comparisons.size() - table.rows.size();
  if (left > 0) note += fmt::format(" {} not shown.", counted(left, "more workload"));
  return {without_empty(std::move(table)), {note}};
}

}  // namespace trilane
