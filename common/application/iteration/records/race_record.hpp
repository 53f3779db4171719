// Describes operations that use the same bytes without an order between them.
#pragma once

#include <boost/describe/class.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>

#include "common/application/iteration/records/application_recording.hpp"
#include "common/base/json/ranges.hpp"

namespace trilane {

struct RaceSide {
  std::uint64_t call = 0;  ///< index in ApplicationRecording::calls
  std::string what;        ///< "copy", "memset", "kernel NAME"
  std::uint32_t stream = 0;
  Use use = Use::may_use;
};
BOOST_DESCRIBE_STRUCT(RaceSide, (), (call, what, stream, use))
constexpr auto ranges(const RaceSide*) { return std::tuple{Within<&RaceSide::what>{text_range}}; }

/// Pairs of similar operations. `count` is their number; the rest describes the first pair.
struct RecordedRace {
  bool certain = false;         ///< otherwise possible: one of the two may not use these bytes
  bool next_iteration = false;  ///< `later` belongs to the iteration after that of `earlier`
  std::uint32_t memory = 0;     ///< index in ApplicationRecording::memory
  MemoryKind memory_kind = MemoryKind::unknown;
  std::uint64_t offset = 0, bytes = 0;  ///< used by both
  RaceSide earlier, later;              ///< in the order of issue
  std::uint64_t count = 0;
  /// True if the simulated device finds no order between the two either; absent: it was not asked.
  std::optional<bool> confirmed{};
};
BOOST_DESCRIBE_STRUCT(RecordedRace, (),
                      (certain, next_iteration, memory, memory_kind, offset, bytes, earlier, later,
                       count, confirmed))

}  // namespace trilane
