// Describes streams, memory and kernels that the calls of an iteration name, and the stream
// captures that the application itself tried.
#pragma once

#include <boost/describe/class.hpp>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "common/application/iteration/records/call_kinds.hpp"
#include "common/application/iteration/records/recorded_kinds.hpp"
#include "common/base/json/ranges.hpp"

namespace trilane {

struct RecordedStream {
  StreamKind kind = StreamKind::blocking;
  std::int32_t priority = 0;
  bool operator==(const RecordedStream&) const = default;
};
BOOST_DESCRIBE_STRUCT(RecordedStream, (), (kind, priority))

/// A piece of memory that an operation of the iteration uses.
struct RecordedMemory {
  MemoryKind kind = MemoryKind::unknown;
  std::uint64_t bytes = 0;  ///< 0: unknown
  bool within = false;      ///< allocated and freed in the iteration
  bool operator==(const RecordedMemory&) const = default;
};
BOOST_DESCRIBE_STRUCT(RecordedMemory, (), (kind, bytes, within))

/// A kernel's parameter: its size, and how its value varies in the whole recording.
struct RecordedParameter {
  std::uint64_t bytes = 0;
  bool pointer = false;  ///< its value pointed into memory that the recorder knows
  bool operator==(const RecordedParameter&) const = default;
};
BOOST_DESCRIBE_STRUCT(RecordedParameter, (), (bytes, pointer))

struct RecordedKernel {
  std::string name;  ///< demangled
  std::vector<RecordedParameter> parameters;
  std::uint32_t registers = 0;
  std::uint64_t static_shared_bytes = 0;
  bool operator==(const RecordedKernel&) const = default;
};
BOOST_DESCRIBE_STRUCT(RecordedKernel, (), (name, parameters, registers, static_shared_bytes))
constexpr auto ranges(const RecordedKernel*) {
  return std::tuple{Within<&RecordedKernel::name>{text_range}};
}

/// A range of memory that an operation uses.
struct UsedRange {
  std::uint32_t memory = 0;  ///< index in ApplicationRecording::memory
  std::uint64_t offset = 0, bytes = 0;
  Use use = Use::may_use;
  bool operator==(const UsedRange&) const = default;
};
BOOST_DESCRIBE_STRUCT(UsedRange, (), (memory, offset, bytes, use))

/// Returns true if both ranges hold one of the bytes.
constexpr bool overlap(const UsedRange& one, const UsedRange& other) {
  return one.memory == other.memory && one.offset < other.offset + other.bytes &&
         other.offset < one.offset + one.bytes;
}

/// Returns true if operations that use these ranges must keep their order.
constexpr bool conflict(const UsedRange& one, const UsedRange& other) {
  return overlap(one, other) && (one.use != Use::reads || other.use != Use::reads);
}

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

/// CUPTI's cost for each driver call with callbacks, at its beginning and its return, without the
/// recorder's own work. In microseconds.
struct ListeningCosts {
  double between_us = 0;  ///< part of the time from one call's return to the next one's begin
  double within_us = 0;   ///< part of the time from a call's begin to its return
  bool operator==(const ListeningCosts&) const = default;
};
BOOST_DESCRIBE_STRUCT(ListeningCosts, (), (between_us, within_us))

}  // namespace trilane
