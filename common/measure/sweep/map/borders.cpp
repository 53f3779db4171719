#include "common/measure/sweep/map/regimes.hpp"

namespace trilane {
namespace {

/// The map for one way of cutting, with the cells at each position along a band.
struct View {
  const RegimeMap& map;
  std::size_t along, across;
  std::vector<std::vector<std::size_t>> cells{};  // by band and position

  const std::vector<std::size_t>& at(std::size_t position, std::size_t band) const {
    return cells[band * along + position];
  }
};

View view_of(const RegimeMap& map, Cut cut) {
  const std::vector<double> sizes = axis_along(map, Cut::size).values;
  View view{.map = map,
            .along = axis_along(map, cut).values.size(),
            .across = axis_across(map, cut).values.size()};
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

/// Prefix sums: counts of cells in rectangles from (0, 0). Any rectangle takes four look-ups.
class Counts {
 public:
  template <typename Holds>
  Counts(const View& view, Holds holds)
      : width_(view.along + 1), sums_(width_ * (view.across + 1)) {
    for (std::size_t band = 0; band < view.across; ++band) {
      for (std::size_t at = 0; at < view.along; ++at) {
        const auto here = std::ranges::count_if(
            view.at(at, band), [&](std::size_t cell) { return holds(view.map.cells[cell]); });
        sum(at + 1, band + 1) =
            sum(at, band + 1) + sum(at + 1, band) - sum(at, band) + static_cast<std::size_t>(here);
      }
    }
  }

  std::size_t within(const Span& along, const Span& band) const {
    return sum(along.last + 1, band.last + 1) - sum(along.first, band.last + 1) -
           sum(along.last + 1, band.first) + sum(along.first, band.first);
  }

 private:
  std::size_t& sum(std::size_t at, std::size_t band) { return sums_[band * width_ + at]; }
  std::size_t sum(std::size_t at, std::size_t band) const { return sums_[band * width_ + at]; }

  std::size_t width_;
  std::vector<std::size_t> sums_;
};

/// Returns the span without the unmeasured positions at its ends; one position must be `measured`.
template <typename Measured>
Span trimmed(Span span, Measured measured) {
  while (!measured(Span{span.first, span.first})) ++span.first;
  while (!measured(Span{span.last, span.last})) --span.last;
  return span;
}

bool is_best_of_same(const Cell& cell, const std::string& variant) {
  const auto best = std::ranges::find(cell.winners, Tier::same_operations, &Winner::tier);
  return best != cell.winners.end() && (best->variant == variant || includes(best->tied, variant));
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

constexpr double regime_cost = 1, band_cost = 0.5;
// With a lower cost, rows between which a border moves would be merged, with an exception in each.
// Along sizes two more regimes can cut out a stray cell, so an exception must cost less than that.
constexpr double exception_cost = 3, exception_cost_by_size = 1.5;
constexpr std::size_t cells_per_exception = 8;
// For each cell in which a smaller change of the program is as good: three justify a border.
constexpr double needless_change_cost = 0.4;

/// Returns the cheapest cut of 0..size-1 into spans of `cost(span)`: cost and spans.
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
        measured_(view_, [](const Cell& cell) { return cell.status == Status::ok; }) {
    for (const std::string& variant : map.variants) {
      best_.emplace_back(view_, [&](const Cell& cell) { return is_among_the_best(cell, variant); });
    }
    for (const Tier tier : enumerators<Tier>) {
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
      if (measured_.within(all, band) == 0) continue;
      Band& made = bands.emplace_back();
      made.span = trimmed(band, [&](const Span& row) { return measured_.within(all, row) > 0; });
      for (const Span& along : regimes_in(band).second) {
        if (measured_.within(along, band) > 0) made.regimes.push_back(regime(along, band));
      }
    }
    return {cost, bands};
  }

 private:
  bool has_smaller_change(const Cell& cell, Tier tier) const {
    for (std::size_t i = 0; i < view_.map.variants.size(); ++i) {
      if (view_.map.tiers[i] < tier && is_among_the_best(cell, view_.map.variants[i])) return true;
    }
    return false;
  }

  double cost(const Span& along, const Span& band) const {
    const std::size_t measured = measured_.within(along, band);
    if (measured == 0) return 0;
    const std::size_t chosen = server(along, band);
    const std::size_t misses = measured - best_[chosen].within(along, band);
    const std::size_t needless = smaller_change_.at(view_.map.tiers[chosen]).within(along, band);
    if (misses * cells_per_exception > measured) return std::numeric_limits<double>::infinity();
    return regime_cost + exception_cost_ * static_cast<double>(misses) +
           needless_change_cost * static_cast<double>(needless);
  }

  std::pair<double, std::vector<Span>> regimes_in(const Span& band) const {
    return cheapest_cut(view_.along, [&](const Span& along) { return cost(along, band); });
  }

  /// Returns the variant that wins or ties in most cells; of several, the reference or the first.
  std::size_t server(const Span& along, const Span& band) const {
    const auto serves = [&](const Counts& counts) { return counts.within(along, band); };
    const auto first = std::ranges::max_element(best_, {}, serves);
    const auto& names = view_.map.variants;
    const auto reference = std::ranges::find(names, view_.map.reference) - names.begin();
    const bool same = reference < std::ssize(names) &&
                      serves(best_[static_cast<std::size_t>(reference)]) == serves(*first);
    return static_cast<std::size_t>(same ? reference : first - best_.begin());
  }

  Regime regime(const Span& found, const Span& band) const {
    const Span along =
        trimmed(found, [&](const Span& column) { return measured_.within(column, band) > 0; });
    const std::size_t chosen = server(along, band);
    const std::size_t cells_measured = measured_.within(along, band);
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

  void add(Regime& regime, std::size_t position) const {
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

  const View view_;
  const double exception_cost_;
  const Counts measured_;
  std::vector<Counts> best_;               // by variant: the cells that it wins or ties
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
