#include <algorithm>
#include <utility>

#include "common/base/text/words.hpp"
#include "common/explain/analysis/verdict/answers.hpp"
#include "common/explain/report/screen/screen_parts.hpp"

namespace trilane {

std::string speed_cell(const Comparison& comparison, const Measurement& m) {
  if (m.variant == comparison.reference) return "same";
  if (!m.ratio) return short_time(m.wall->mean) + " us";
  switch (effect_of(m.ratio)) {
    case Effect::gains:
    case Effect::loses: return said_speed(1 / m.ratio->estimate) + "x";
    case Effect::nothing: return m.ratio->covers == Covers::model_error ? not_told : "same";
    case Effect::unclear: break;
  }
  return not_told;
}

Table without_empty(Table table) {
  const std::vector<std::string> heads = table.heads;
  for (std::size_t c = heads.size(); c-- > 1;) {
    const bool empty = std::ranges::all_of(
        table.rows, [&](const std::vector<std::string>& row) { return row[c] == "-"; });
    if (empty) table = without_column(std::move(table), heads[c]);
  }
  return table;
}

}  // namespace trilane
