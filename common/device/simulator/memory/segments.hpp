// What the hazard check remembers of every byte.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "common/device/simulator/memory/memory.hpp"
#include "common/device/simulator/operations/device_operation.hpp"

namespace trilane::simulator {

enum class Life {
  users,     ///< pageable or registered: comes and goes as the program likes
  reserved,  ///< a pool's or a graph's, and no operation has allocated it yet
  allocated,
  released,
};

struct Use {
  OperationPtr operation;
  bool writes;
  bool operator==(const Use&) const = default;
};

/// What is known of a byte.
struct Past {
  Place place = Place::pageable;
  Life life = Life::users;
  bool written = true;      ///< since it was allocated; the host's memory is never undefined
  OperationPtr allocator;   ///< of this life; null: a call of the host
  OperationPtr releaser;    ///< null: a call of the host, or not released
  std::string released_by;  ///< that call
  /// Of writes in order the last one, of reads in order the last one unless a write comes after it:
  /// what is in no order with any other use of this life is in none with one of these, either.
  std::vector<Use> uses;

  bool operator==(const Past&) const = default;
};

/// What is known of memory of that sort before anything happened to it.
Past fresh_past(Place place);

/// Bytes with the same past, up to `end`.
struct Segment {
  std::uintptr_t end = 0;
  Past past;
};

/// The segments in order of address; no two overlap.
class Segments {
 public:
  using Map = std::map<std::uintptr_t, Segment>;  // by first address

  /// Makes segments end and begin at the ends of `range`, fills what none covers with fresh ones of
  /// `place`, and returns the first in it; what follows up to range.end is in it, too.
  Map::iterator tile(const Range& range, Place place);

  /// The same, without filling.
  Map::iterator part(const Range& range);

  /// Joins neighbours from `first` up to `end` that do not differ. Where the same ranges come again
  /// that is not needed; where ever new ones come it keeps the map short.
  void join(Map::iterator first, std::uintptr_t end);

  /// All of the range has this past.
  void replace(const Range& range, Past past);

  Map::iterator end() { return map_.end(); }
  std::size_t size() const { return map_.size(); }

 private:
  Map::iterator split(Map::iterator segment, std::uintptr_t at);

  Map map_;
};

}  // namespace trilane::simulator
