// Describes calls that cost time or do nothing.
#pragma once

#include <boost/describe/class.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

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

}  // namespace trilane
