#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "common/measure/sweep/map/axis_parts.hpp"
#include "common/measure/sweep/map/regime_map.hpp"
#include "common/model/workload/knobs.hpp"

namespace trilane {
namespace {

void check(const Axis& axis) {
  if (!is_sweepable(axis.knob)) {
    throw Misfit{".knob", fmt::format("is \"{}\", which is not known", axis.knob)};
  }
  if (axis.unit != unit_of(axis.knob)) {
    throw Misfit{".unit", fmt::format("is \"{}\", and that of {} is \"{}\"", axis.unit, axis.knob,
                                      unit_of(axis.knob))};
  }
  const std::size_t count = axis.values.size();
  if (count == 0 || count > most_values) {
    throw Misfit{".values", fmt::format("has {} entries and may have 1 to {}", count, most_values)};
  }
  if (std::ranges::adjacent_find(axis.values, std::greater_equal()) != axis.values.end()) {
    throw Misfit{".values", "do not ascend"};
  }
  const auto possible = [&](double value) {
    const bool whole = kind_of(axis.knob) == AxisKind::time || value == std::floor(value);
    return whole && value <= most_of(axis.knob);
  };
  const auto wrong = std::ranges::find_if_not(axis.values, possible);
  if (wrong != axis.values.end()) {
    throw Misfit{".values", fmt::format("has {}, which the knob {} cannot be", *wrong, axis.knob)};
  }
}

/// Checks the members of a cell against each other and against the map's variants.
class CellCheck {
 public:
  CellCheck(const RegimeMap& map, const Cell& cell) : map_(map), cell_(cell) {}

  void operator()() const {
    const std::size_t rows = map_.rows ? map_.rows->values.size() : 1;
    if (cell_.column >= map_.columns.values.size() || cell_.row >= rows) {
      misfit(fmt::format("has column {}, row {}, which the map does not have", cell_.column,
                         cell_.row));
    }
    if (cell_.status == Status::not_run) misfit("has not run, so it has no place in a file");
    for (const CellVariant& entry : cell_.variants) known("variants", entry.variant);
    for (const std::string& name : cell_.tied) known("tied", name);
    for (const Winner& winner : cell_.winners) known("winners", winner.variant);
    if (!cell_.runner_up.empty()) known("runner_up", cell_.runner_up);
    if (cell_.status == Status::ok) has_winner();
  }

 private:
  void known(const char* key, const std::string& variant) const {
    if (std::ranges::find(map_.variants, variant) != map_.variants.end()) return;
    throw Misfit{step(std::string_view(key)),
                 fmt::format("has {}, which is not a variant of the sweep", variant)};
  }

  void has_winner() const {
    if (cell_.visits == 0) throw Misfit{".visits", "is 0, but the cell was measured"};
    if (const std::string flaw = flaw_of(cell_.workload); !flaw.empty()) {
      throw Misfit{".workload", flaw};
    }
    known("winner", cell_.winner);
    for (const CellVariant& entry : cell_.variants) {
      if (entry.processes.size() == cell_.visits) continue;
      throw Misfit{".variants", fmt::format("has {} processes of {}, and there were {} visits",
                                            entry.processes.size(), entry.variant, cell_.visits)};
    }
    const CellVariant* const winner = find_variant(cell_, cell_.winner);
    if (winner && std::abs(winner->over_winner - 1) < 1e-5) return;
    throw Misfit{".winner",
                 fmt::format("is {}, which is not the fastest in .variants", cell_.winner)};
  }

  const RegimeMap& map_;
  const Cell& cell_;
};

void check_variants(const RegimeMap& map) {
  const std::set<std::string> names(map.variants.begin(), map.variants.end());
  if (names.empty() || names.size() != map.variants.size()) {
    throw Misfit{".variants", "is empty or has a variant twice"};
  }
  if (!map.reference.empty() && !names.contains(map.reference)) {
    throw Misfit{".reference", fmt::format("is {}, which is not a variant", map.reference)};
  }
  for (const auto& [key, size] :
       {std::pair{".letters", map.letters.size()}, std::pair{".tiers", map.tiers.size()}}) {
    if (size != map.variants.size()) throw Misfit{key, "are not as many as the variants"};
  }
  const auto fills_a_cell = [](const std::string& letter) {
    return letter == "*" || (letter.size() == 1 && letter[0] >= 'A' && letter[0] <= 'Z');
  };
  if (!std::ranges::all_of(map.letters, fills_a_cell)) {
    throw Misfit{".letters", "are not one capital letter or * each"};
  }
}

}  // namespace

void cross_check(const RegimeMap& map) {
  within("columns", [&] { check(map.columns); });
  if (map.rows) within("rows", [&] { check(*map.rows); });
  if (map.rows && map.rows->knob == map.columns.knob) {
    throw Misfit{".rows.knob", "is that of the columns"};
  }
  check_variants(map);
  std::set<std::pair<std::uint32_t, std::uint32_t>> places;
  for (std::size_t i = 0; i < map.cells.size(); ++i) {
    const Cell& cell = map.cells[i];
    within("cells", [&] {
      within(i, [&] {
        CellCheck(map, cell)();
        if (!places.emplace(cell.column, cell.row).second) misfit("is there twice");
      });
    });
  }
}

}  // namespace trilane
