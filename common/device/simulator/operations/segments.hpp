// The past of every byte, for the hazard check.
#pragma once

#include <cstdint>
#include <map>
#include <ranges>
#include <string>
#include <vector>

#include "common/device/simulator/operations/device_operation.hpp"
#include "common/device/simulator/operations/memory.hpp"

namespace trilane::simulator {

enum class Life {
  users,     ///< pageable or registered: owned by the program
  reserved,  ///< of a pool or a graph, but not allocated yet
  allocated,
  released,
};

struct Use {
  OperationPtr operation;
  bool writes;
  bool operator==(const Use&) const = default;
};

/// The history of a byte.
struct Past {
  Place place = Place::pageable;
  Life life = Life::users;
  bool written = true;      ///< since its allocation; always true on the host
  OperationPtr allocator;   ///< null: a call of the host
  OperationPtr releaser;    ///< null: a call of the host, or not released
  std::string released_by;  ///< that call
  /// The latest writes, and the latest reads after them. An operation that is ordered after all of
  /// these is ordered after every use since the allocation.
  std::vector<Use> uses;

  bool operator==(const Past&) const = default;
};

/// Returns the past of new memory in that place.
Past fresh_past(Place place);

/// Bytes with a common past, up to `end`.
struct Segment {
  std::uintptr_t end = 0;
  Past past;
};

/// The segments in order of address; no two overlap.
class Segments {
 public:
  using Map = std::map<std::uintptr_t, Segment>;  // by first address
  using Part = std::ranges::subrange<Map::iterator>;

  /// Splits segments at the ends of `range`, fills its gaps with new ones in `place`, and returns
  /// the segments in `range`.
  Part tile(const Range& range, Place place);

  /// Does the same without filling gaps.
  Part part(const Range& range);

  /// Joins equal neighbours in `part`, which keeps the map short if ranges differ between
  /// operations.
  void join(const Part& part);

  /// Sets this past for the whole range.
  void replace(const Range& range, Past past);

  std::size_t size() const { return map_.size(); }

 private:
  Map::iterator split(Map::iterator segment, std::uintptr_t at);

  Map map_;
};

}  // namespace trilane::simulator
