// Describes the stream captures that an application itself tried.
#pragma once

#include <boost/describe/class.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "common/application/iteration/records/call_kinds.hpp"

namespace trilane {

/// Captures that failed because of one call.
struct FailedCapture {
  std::string call;     ///< the driver's function that broke them, or the end of the capture
  std::string runtime;  ///< the runtime's function around it; empty: unknown
  CallKind kind = CallKind::other;
  std::uint32_t code = 0;  ///< the CUresult that it returned
  std::uint64_t count = 0;
  bool operator==(const FailedCapture&) const = default;
};
BOOST_DESCRIBE_STRUCT(FailedCapture, (), (call, runtime, kind, code, count))

/// Captures that ended while every call was listened to; later ones are not counted.
struct RecordedCaptures {
  std::uint64_t ended = 0;  ///< in all
  std::vector<FailedCapture> failed;
  bool operator==(const RecordedCaptures&) const = default;
};
BOOST_DESCRIBE_STRUCT(RecordedCaptures, (), (ended, failed))

}  // namespace trilane
