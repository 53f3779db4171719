// Decides which cell is visited next, and for how long.
#pragma once

#include <optional>
#include <vector>

#include "common/sweep/map/regime_map.hpp"

namespace trilane {

/// A visit to a cell: its position in the map and the most measuring time.
struct Visit {
  std::size_t position;
  double seconds;
};

/// Whether the cell's time ran out before its winner was clear.
bool is_open(const Cell& cell);

/// Visits cells in an order shuffled by the map's seed, so that drift does not look like a border.
/// First every cell that has not run; then, while time is left, open cells, each for at least twice
/// as long as before. The map holds all state, so that a map from a file can continue.
class Schedule {
 public:
  explicit Schedule(const RegimeMap& map);

  /// The next visit; nothing if the map is finished.
  std::optional<Visit> next();

 private:
  std::optional<Visit> first_visit() const;
  std::optional<Visit> another_visit() const;
  double left() const { return map_.seconds_allowed - map_.seconds; }
  double overhead() const;

  const RegimeMap& map_;
  std::vector<std::size_t> order_;
};

}  // namespace trilane
