// Describes what prevents an iteration from being captured unchanged.
#pragma once

#include <boost/describe/class.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>

#include "common/application/iteration/records/recorded_kinds.hpp"
#include "common/base/json/ranges.hpp"
#include "common/base/text/enumerators.hpp"

namespace trilane {

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
