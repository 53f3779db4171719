// The hazard check: finds missing order in the happens-before relation.
#pragma once

#include "common/device/simulator/hazards/order.hpp"
#include "common/device/simulator/operations/memory.hpp"

namespace trilane::simulator {

BOOST_DEFINE_ENUM_CLASS(
    Hazard,
    unordered,              ///< two unordered operations on the same bytes, one of them a write
    uninitialised_read,     ///< a read of bytes that were never written
    use_before_allocation,  ///< a use that is not ordered after the allocation
    use_after_free,         ///< a use after the release
    free_before_last_use,   ///< a release that is not ordered after all uses
    double_free,            ///< a release of unallocated memory
    host_touched,           ///< the host changed bytes while an operation used them
    outside,                ///< a use of bytes outside all allocations
    no_access,              ///< a kernel's use of another device's memory without peer access
    never_finishes,         ///< a wait that cannot end
    api_in_host_function)   ///< a host function called the runtime

/// Returns "unordered", "use after free", ...
std::string name_of(Hazard hazard);

/// Returns "0x7f0000001000-0x7f0000002000 (4096 bytes of device memory)".
std::string describe(const Range& range, Place place);

struct Report {
  Hazard hazard;
  std::string text;        ///< one line: both operations with their lanes, and the range
  std::uint32_t part = 0;  ///< of the host whose work it is
};

/// A finding between the same two lanes on the same range is reported once until clear(), and at
/// most `most` are reported: if thousands of operations race, so do millions of pairs.
class Findings {
 public:
  static constexpr std::size_t most = 10'000;

  /// Adds a hazard on bytes with a common past, described by `text`. `other`: an operation or null.
  void add(Hazard hazard, std::string text, const Operation* other, const Range& range,
           Place place);

  /// Returns true if further hazards are dropped.
  bool is_full() const { return reports_.size() + added_.size() >= most; }

  /// Returns the number of hazards added but not yet reported.
  std::size_t added() const { return added_.size(); }
  /// Drops, among the hazards from number `first` on, those that repeat an earlier one for other
  /// bytes: the rows of an access often have the same error.
  void keep_one_of_each_since(std::size_t first);
  /// Reports the added hazards as errors of `culprit` on `lane`.
  void report_added(const std::string& culprit, const std::string& lane);

  /// Reports a hazard at once.
  void report(Hazard hazard, std::string text) {
    reports_.push_back({hazard, std::move(text), part_});
  }
  /// Says which part of the host the next reports concern.
  void found_for(std::uint32_t part) { part_ = part; }

  const std::vector<Report>& reports() const { return reports_; }
  /// Removes the reports of one part of the host, and returns them.
  std::vector<Report> take(std::uint32_t part);
  void clear();

 private:
  struct Finding {
    Hazard hazard;
    std::string text, other_lane;
    Range range;
    Place place;
  };

  std::vector<Finding> added_;
  std::set<std::tuple<Hazard, std::uintptr_t, std::uintptr_t, std::string, std::string>> reported_;
  std::vector<Report> reports_;
  std::uint32_t part_ = 0;
};

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

  /// Splits segments at the ends of `range`, fills its gaps in `place`, and returns its segments.
  Part tile(const Range& range, Place place);

  /// Does the same without filling gaps.
  Part part(const Range& range);

  /// Joins equal neighbours in `part`, which keeps the map short.
  void join(const Part& part);

  /// Sets this past for the whole range.
  void replace(const Range& range, Past past);

  std::size_t size() const { return map_.size(); }

 private:
  /// Splits the segment around an address. Returns the first that begins there or later.
  Map::iterator split(std::uintptr_t at);

  Map map_;
};

/// Keeps the last writes, and the reads since, of device bytes and of host bytes that are touched,
/// and finds what lacks an order.
class Hazards : public Findings {
 public:
  /// Checks the accesses of an operation, which must be the latest in the order.
  void check(const OperationPtr& operation, const Memory& memory);

  /// Must be called for every new block; its past is forgotten. Bytes of the device are undefined,
  /// those of a pool or graph are not allocated yet, and those of the host count as written.
  void allocated(const Block& block) { segments_.replace(block.range, fresh_past(block.place)); }

  /// Checks an immediate release by the host (cudaFree, cudaFreeHost): the host must have waited
  /// for all operations that used the bytes. `call` is the name of the function.
  void released_by_host(const Range& range, const OperationOrder& order, const std::string& call);

 private:
  void touch(const OperationPtr& operation, const Access& access, const Memory& memory);
  void touch_nothing(const OperationPtr& operation, const Access& access);

  Segments segments_;
};

}  // namespace trilane::simulator
