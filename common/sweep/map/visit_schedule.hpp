// Which cell comes next, and how long it may measure.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "common/sweep/map/regime_map.hpp"

namespace trilane {

/// A visit to a cell: its position in the map and the measuring time at most.
struct Visit {
  std::size_t position;
  double seconds;
};

/// Its time was up before its winner was clear.
bool is_open(const Cell& cell);

/// Cells in an order drawn from the map's seed, so that what drifts during the run does not look
/// like a border. First every cell that was not run; then, as long as there is time, those that
/// were still open when theirs was up, each with at least twice as long as before. The map says
/// what was done, so a map read from a file goes on where it was left.
class Schedule {
 public:
  explicit Schedule(const RegimeMap& map);

  /// The next visit; nothing when the map is finished.
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
