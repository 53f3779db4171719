#include "common/measure/sweep/map/borders.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "common/measure/sweep/map/border_parts.hpp"

namespace trilane {
namespace {

constexpr double regime_cost = 1, band_cost = 0.5;
// With a lower cost, rows between which a border moves would be merged, with an exception in each.
// Along sizes two more regimes can cut out a stray cell, so an exception must cost less than that.
constexpr double exception_cost = 3, exception_cost_by_size = 1.5;
constexpr std::size_t cells_per_exception = 8;
// For each cell in which a smaller change of the program is as good: three of them justify a
// border.
constexpr double needless_change_cost = 0.4;

/// Returns the cheapest cut of 0..size-1 into spans with a `cost(span)` each: the cost and the
/// spans.
template <typename Cost>
std::pair<double, std::vector<Span>> cheapest_cut(std::size_t size, Cost cost) {
  std::vector<double> best(size + 1, std::numeric_limits<double>::infinity());
  std::vector<std::size_t> start(size + 1);
  best[0] = 0;
  for (std::size_t end = 1; end <= size; ++end) {
    for (std::size_t first = 0; first < end; ++first) {
      const double sum = best[first] + cost(Span{first, end - 1});
      if (!(sum < best[end])) continue;
      best[end] = sum;
      start[end] = first;
    }
  }
  std::vector<Span> spans;
  for (std::size_t end = size; end > 0; end = start[end]) spans.push_back({start[end], end - 1});
  std::ranges::reverse(spans);
  return {best[size], spans};
}

class Cutter {
 public:
  Cutter(const RegimeMap& map, Cut cut)
      : view_(view_of(map, cut)),
        exception_cost_(cut == Cut::size ? exception_cost_by_size : exception_cost),
        regimes_(view_) {
    for (const Tier tier : all_tiers) {
      smaller_change_.emplace(
          tier, Counts(view_, [&](const Cell& cell) { return has_smaller_change(cell, tier); }));
    }
  }

  std::pair<double, std::vector<Band>> cut() const {
    const auto [cost, spans] = cheapest_cut(
        view_.across, [&](const Span& band) { return band_cost + regimes_in(band).first; });
    std::vector<Band> bands;
    for (const Span& band : spans) {
      const Span all{0, view_.along - 1};
      if (regimes_.measured(all, band) == 0) continue;
      Band& made = bands.emplace_back();
      made.span = trimmed(band, [&](const Span& row) { return regimes_.measured(all, row) > 0; });
      for (const Span& along : regimes_in(band).second) {
        if (regimes_.measured(along, band) > 0)
          made.regimes.push_back(regimes_.regime(along, band));
      }
    }
    return {cost, bands};
  }

 private:
  /// Returns true if a variant of a tier that changes less of the program is among the best.
  bool has_smaller_change(const Cell& cell, Tier tier) const {
    for (std::size_t i = 0; i < view_.map.variants.size(); ++i) {
      if (view_.map.tiers[i] < tier && is_among_the_best(cell, view_.map.variants[i])) return true;
    }
    return false;
  }

  double cost(const Span& along, const Span& band) const {
    const std::size_t measured = regimes_.measured(along, band);
    if (measured == 0) return 0;
    const std::size_t chosen = regimes_.server(along, band);
    const std::size_t misses = measured - regimes_.served(chosen, along, band);
    const std::size_t needless = smaller_change_.at(view_.map.tiers[chosen]).within(along, band);
    if (misses * cells_per_exception > measured) return std::numeric_limits<double>::infinity();
    return regime_cost + exception_cost_ * static_cast<double>(misses) +
           needless_change_cost * static_cast<double>(needless);
  }

  std::pair<double, std::vector<Span>> regimes_in(const Span& band) const {
    return cheapest_cut(view_.along, [&](const Span& along) { return cost(along, band); });
  }

  const View view_;
  const double exception_cost_;
  const Regimes regimes_;
  std::map<Tier, Counts> smaller_change_;  // cells in which an earlier tier is as good
};

}  // namespace

void find_borders(RegimeMap& map) {
  std::vector<Cut> cuts{Cut::rows};
  if (map.rows) cuts.push_back(Cut::columns);
  if (size_of(map, map.cells.front()) > 0) cuts.push_back(Cut::size);
  double least = std::numeric_limits<double>::infinity();
  std::vector<Band> found;
  for (const Cut cut : cuts) {
    auto [cost, bands] = Cutter(map, cut).cut();
    if (!(cost < least)) continue;
    least = cost;
    map.bands_of = cut;
    found = std::move(bands);
  }
  map.borders = std::move(found);
  for (Band& band : map.borders) band.words = words_of(map, band);
}

}  // namespace trilane
