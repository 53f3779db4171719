// Decides which cell is visited next, and for how long.
#pragma once

#include "common/measure/sweep/map/regime_map.hpp"

namespace trilane {

/// A visit to a cell: its position in the map and the most measuring time.
struct Visit {
  std::size_t position;
  double seconds;
};

/// Returns true if the cell's time ran out before its winner was clear.
bool is_open(const Cell& cell);

/// Returns the number of visits that the cell still lacks; 0 if it failed or cannot run.
std::uint32_t visits_left(const RegimeMap& map, const Cell& cell);

/// Visits cells in an order shuffled by the map's seed, so that drift does not look like a border.
/// All are visited once, then all that can run again, until each was measured in as many processes
/// as the map needs. Time that decided cells leave goes to later visits of open ones. The map holds
/// all state, so a map from a file can continue.
class Schedule {
 public:
  explicit Schedule(const RegimeMap& map);

  /// Returns the next visit; nothing if the map is finished.
  std::optional<Visit> next();

 private:
  double overhead() const;

  const RegimeMap& map_;
  std::vector<std::size_t> order_;
};

}  // namespace trilane
