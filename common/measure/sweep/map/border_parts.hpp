// Parts of cutting a map into regimes.
#pragma once

#include <algorithm>
#include <vector>

#include "common/measure/sweep/map/regime_map.hpp"

namespace trilane {

/// The map for one way of cutting, with the cells at each position along a band.
struct View {
  const RegimeMap& map;
  std::size_t along, across;
  std::vector<std::vector<std::size_t>> cells;  // by band and position

  const std::vector<std::size_t>& at(std::size_t position, std::size_t band) const {
    return cells[band * along + position];
  }
};

View view_of(const RegimeMap& map, Cut cut);

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

/// Finds the variant that serves a rectangle of cells.
class Regimes {
 public:
  explicit Regimes(const View& view);

  /// Returns the number of measured cells in the rectangle.
  std::size_t measured(const Span& along, const Span& band) const {
    return measured_.within(along, band);
  }
  /// Returns the number of cells in which the variant wins or ties.
  std::size_t served(std::size_t variant, const Span& along, const Span& band) const {
    return best_[variant].within(along, band);
  }
  /// Returns the variant that wins or ties in the most cells; among several, the reference or the
  /// first.
  std::size_t server(const Span& along, const Span& band) const;

  /// Returns the regime of a rectangle with measured cells.
  Regime regime(const Span& found, const Span& band) const;

 private:
  void add(Regime& regime, std::size_t position) const;

  const View& view_;
  Counts measured_;
  std::vector<Counts> best_;  // by variant: the cells that it wins or ties
};

}  // namespace trilane
