// Describes what a diagnosis finds: calls that cost time or do nothing, races, and what prevents a
// capture.
#pragma once

#include <boost/describe/class.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "common/application/iteration/call_kinds.hpp"
#include "common/base/json/ranges.hpp"
#include "common/base/text/enumerators.hpp"

namespace trilane {

enum class FindingKind : std::uint8_t {
  copy_could_overlap,  ///< a copy that no kernel overlaps, though one does not use its memory
  copy_needs_buffer,   ///< the same, but each kernel may exchange data with it
  pageable_copy,
  synchronization,
  allocation,           ///< in the loop, including frees
  implicit_wait,        ///< a free or a copy that makes the host wait unasked
  legacy_wait,          ///< an operation that starts late only because of the legacy stream's rule
  useless_stream_wait,  ///< for an event that the host, or just now the stream, has waited for
  useless_synchronize,  ///< for what the host has waited for earlier in the iteration
  nothing_copied,       ///< a copy or memset of zero bytes
  memset_overwritten,   ///< by a copy, before anything known reads it
};
BOOST_DESCRIBE_ENUM(FindingKind, copy_could_overlap, copy_needs_buffer, pageable_copy,
                    synchronization, allocation, implicit_wait, legacy_wait, useless_stream_wait,
                    useless_synchronize, nothing_copied, memset_overwritten)
constexpr const char* name_of(FindingKind kind) {
  switch (kind) {
    case FindingKind::copy_needs_buffer: return "copy needs a second buffer to overlap";
    case FindingKind::legacy_wait: return "wait by the legacy stream";
    default: return words_of_name(kind);
  }
}

/// The reason why a copy does not overlap with kernels.
enum class Obstacle : std::uint8_t {
  none,
  pageable,     ///< the host waits with it
  synchronous,  ///< the function that was called is a synchronous one
  legacy,       ///< it, or every kernel, is in the legacy stream or ordered by it
  same_stream,  ///< the kernels that could overlap are in its stream
  order,        ///< events or host waits
};
BOOST_DESCRIBE_ENUM(Obstacle, none, pageable, synchronous, legacy, same_stream, order)
constexpr const char* name_of(Obstacle obstacle) {
  switch (obstacle) {
    case Obstacle::none: return "none";
    case Obstacle::pageable: return "pageable memory";
    case Obstacle::synchronous: return "synchronous call";
    case Obstacle::legacy: return "legacy stream";
    case Obstacle::same_stream: return "same stream";
    case Obstacle::order: return "events or waits";
  }
  return "";
}

/// Similar calls. Kind and obstacle tell which change is meant.
struct CallFinding {
  FindingKind kind = FindingKind::synchronization;
  std::string name;  ///< of the function that the application called
  Obstacle obstacle = Obstacle::none;
  std::uint64_t count = 0, bytes = 0;
  double us = 0;                     ///< total time; for copies the device's if known
  double gain_us = 0;                ///< the most that an iteration could gain by a change
  std::optional<double> pinned_us;   ///< for pageable copies: at the rate of the pinned ones here
  std::vector<std::uint64_t> calls;  ///< the first few, as indices in ApplicationRecording::calls
};
BOOST_DESCRIBE_STRUCT(CallFinding, (),
                      (kind, name, obstacle, count, bytes, us, gain_us, pinned_us, calls))
constexpr auto ranges(const CallFinding*) {
  return std::tuple{Within<&CallFinding::name>{text_range}};
}

/// One of two operations that use the same bytes without an order between them.
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

/// The reason why a capture of the iteration, as it is, would fail.
enum class CaptureReason : std::uint8_t {
  failed,         ///< the application tried, and the call broke it
  legacy_stream,  ///< the call uses it
  synchronous,    ///< a copy or memset that the host waits for
  batch,          ///< a batch of copies
  pageable,       ///< a copy from or to such memory
  allocates,      ///< allocates or frees device or pinned memory, outside stream order
  outlives,       ///< memory of a pool that one graph does not allocate and free
  priorities,     ///< kernels keep them only if the graph is instantiated to do so
};
BOOST_DESCRIBE_ENUM(CaptureReason, failed, legacy_stream, synchronous, batch, pageable, allocates,
                    outlives, priorities)
constexpr const char* name_of(CaptureReason reason) {
  switch (reason) {
    case CaptureReason::failed: return "failed in the application";
    case CaptureReason::legacy_stream: return "legacy stream";
    case CaptureReason::synchronous: return "synchronous call";
    case CaptureReason::batch: return "batch of copies";
    case CaptureReason::pageable: return "pageable memory";
    case CaptureReason::allocates: return "allocation";
    case CaptureReason::outlives: return "memory outlives the graph";
    case CaptureReason::priorities: return "priorities";
  }
  return "";
}

/// Calls of one function with one reason.
struct CaptureObstacle {
  CaptureReason reason = CaptureReason::failed;
  std::string name{};  ///< of the function that the application called
  CallKind kind = CallKind::other;
  std::optional<std::uint32_t> call{};  ///< the first: index in ApplicationRecording::calls
  std::uint64_t count = 0;              ///< number of such calls; for CaptureReason::failed: of
                                        ///< captures
  std::uint64_t of = 0;                 ///< for CaptureReason::failed: captures in all
  std::uint32_t code = 0;               ///< for CaptureReason::failed: the CUresult that the call
                                        ///< returned
  bool operator==(const CaptureObstacle&) const = default;
};
BOOST_DESCRIBE_STRUCT(CaptureObstacle, (), (reason, name, kind, call, count, of, code))
constexpr auto ranges(const CaptureObstacle*) {
  return std::tuple{Within<&CaptureObstacle::name>{text_range}};
}

}  // namespace trilane
