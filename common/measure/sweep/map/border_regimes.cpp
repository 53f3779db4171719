#include <algorithm>

#include "common/measure/sweep/map/border_parts.hpp"

namespace trilane {
namespace {

bool is_best_of_same(const Cell& cell, const std::string& variant) {
  const auto best = std::ranges::find(cell.winners, Tier::same_operations, &Winner::tier);
  return best != cell.winners.end() &&
         (best->variant == variant || std::ranges::find(best->tied, variant) != best->tied.end());
}

/// Finds the best variant for these cells without another kernel or another way to copy.
void keep(Regime& regime, const RegimeMap& map, const std::vector<const Cell*>& cells) {
  std::size_t most = 0, measured = 0;
  for (const Cell* cell : cells) measured += cell->status == Status::ok;
  for (const std::string& variant : map.variants) {
    const auto count = static_cast<std::size_t>(std::ranges::count_if(
        cells, [&](const Cell* cell) { return is_best_of_same(*cell, variant); }));
    if (count <= most) continue;
    most = count;
    regime.kept = variant;
  }
  regime.kept_everywhere = most > 0 && most == measured;
}

}  // namespace

View view_of(const RegimeMap& map, Cut cut) {
  const std::vector<double> sizes = axis_along(map, Cut::size).values;
  View view{.map = map,
            .along = axis_along(map, cut).values.size(),
            .across = axis_across(map, cut).values.size(),
            .cells = {}};
  view.cells.resize(view.along * view.across);
  for (std::size_t i = 0; i < map.cells.size(); ++i) {
    const Cell& cell = map.cells[i];
    const auto size = std::ranges::lower_bound(sizes, size_of(map, cell)) - sizes.begin();
    const std::size_t place = cut == Cut::size      ? static_cast<std::size_t>(size)
                              : cut == Cut::columns ? cell.column * view.along + cell.row
                                                    : cell.row * view.along + cell.column;
    view.cells[place].push_back(i);
  }
  return view;
}

Regimes::Regimes(const View& view)
    : view_(view), measured_(view, [](const Cell& cell) { return cell.status == Status::ok; }) {
  for (const std::string& variant : view.map.variants) {
    best_.emplace_back(view, [&](const Cell& cell) { return is_among_the_best(cell, variant); });
  }
}

std::size_t Regimes::server(const Span& along, const Span& band) const {
  const auto serves = [&](const Counts& counts) { return counts.within(along, band); };
  const auto first = std::ranges::max_element(best_, {}, serves);
  const auto& names = view_.map.variants;
  const auto reference = std::ranges::find(names, view_.map.reference) - names.begin();
  const bool same = reference < std::ssize(names) &&
                    serves(best_[static_cast<std::size_t>(reference)]) == serves(*first);
  return static_cast<std::size_t>(same ? reference : first - best_.begin());
}

Regime Regimes::regime(const Span& found, const Span& band) const {
  const Span along = trimmed(found, [&](const Span& column) { return measured(column, band) > 0; });
  const std::size_t chosen = server(along, band);
  const std::size_t cells_measured = measured(along, band);
  Regime regime;
  regime.span = along;
  regime.variant = view_.map.variants[chosen];
  for (std::size_t other = 0; other < best_.size(); ++other) {
    if (other != chosen && best_[other].within(along, band) == cells_measured) {
      regime.tied.push_back(view_.map.variants[other]);
    }
  }
  std::vector<const Cell*> cells;
  for (std::size_t row = band.first; row <= band.last; ++row) {
    for (std::size_t at = along.first; at <= along.last; ++at) {
      for (const std::size_t cell : view_.at(at, row)) {
        add(regime, cell);
        cells.push_back(&view_.map.cells[cell]);
      }
    }
  }
  regime.tier = view_.map.tiers[chosen];
  if (regime.tier != Tier::same_operations) keep(regime, view_.map, cells);
  return regime;
}

void Regimes::add(Regime& regime, std::size_t position) const {
  const Cell& cell = view_.map.cells[position];
  if (cell.status != Status::ok) return;
  if (!is_among_the_best(cell, regime.variant)) return regime.exceptions.push_back(position);
  const auto wall = [&](const std::string& name) {
    const CellVariant* const found = find_variant(cell, name);
    return found ? found->wall_us : 0;
  };
  const double reference = wall(view_.map.reference), own = wall(regime.variant);
  if (!(reference > 0 && own > 0)) return;
  const double gain = reference / own;
  regime.least_gain = std::min(gain, regime.least_gain.value_or(gain));
  regime.most_gain = std::max(gain, regime.most_gain.value_or(gain));
}

}  // namespace trilane
