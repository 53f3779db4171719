// Records of the captures that an application tried: where each one began, which call broke it, and
// what it left out.
#pragma once

#include "common/application/iteration/call_kinds.hpp"
#include "common/application/iteration/call_stacks.hpp"

namespace trilane {

/// The calls that a capture forbids to threads: CUstreamCaptureMode, in its order.
BOOST_DEFINE_FIXED_ENUM_CLASS(CaptureMode, std::uint8_t, global, per_thread, relaxed)

/// The effect of a call on a capture, or of the capture on the call.
BOOST_DEFINE_FIXED_ENUM_CLASS(
    CaptureEffect, std::uint8_t,
    broke,       ///< it failed, and the capture is invalid
    refused,     ///< it failed because of the capture, which goes on
    left_out,    ///< it ran at once, by the capturing thread, in a stream that is not captured
    lost_batch,  ///< a batch of copies that succeeded and added no node
    allocates)   ///< it became a node that allocates memory

/// The stream of a call, as the capture sees it.
BOOST_DEFINE_FIXED_ENUM_CLASS(CaptureStream, std::uint8_t,
                              none,      ///< the call names no stream
                              captured,  ///< the one in which the capture began
                              joined,    ///< drawn into the capture by an event
                              legacy, other)

/// Where a call was made, and the capture that it belongs to. Stacks are indices in
/// CaptureAudit::source.
struct CapturePlace {
  CaptureEffect effect = CaptureEffect::broke;
  CaptureMode mode = CaptureMode::global;
  CaptureStream stream = CaptureStream::none;
  bool loads = false;         ///< the call loads code
  bool other_thread = false;  ///< than the one that began the capture
  /// The threads that made the call and began the capture, from 1 in the order of first calls; 0: a
  /// thread without a successful call.
  std::uint32_t thread = 0, begun_by = 0;
  std::optional<std::uint32_t> stack{}, begin{};  ///< of the call, and of the capture's begin
  /// For a capture with unjoined work: of the call that drew the stream in.
  std::optional<std::uint32_t> fork{};
};
BOOST_DESCRIBE_STRUCT(CapturePlace, (),
                      (effect, mode, stream, loads, other_thread, thread, begun_by, stack, begin,
                       fork))

/// Equal calls that matter to captures. An invalid capture has the first call that failed.
struct CaptureCall {
  std::string call;       ///< the driver's function; of a capture without a known one: its end
  std::string runtime{};  ///< the runtime's function around it; empty: unknown
  CallKind kind = CallKind::other;
  std::uint32_t code = 0;  ///< the CUresult that it returned
  std::uint64_t count = 0;
  std::optional<CapturePlace> place{};  ///< absent in recordings before version 4
};
BOOST_DESCRIBE_STRUCT(CaptureCall, (), (call, runtime, kind, code, count, place))

/// Captures that begin at one place.
struct CaptureSite {
  CaptureMode mode = CaptureMode::global;
  std::optional<std::uint32_t> begin{};  ///< index in CaptureAudit::source; absent: unknown
  std::uint64_t ended = 0, failed = 0;
  std::uint64_t elsewhere = 0;  ///< ended by another thread
};
BOOST_DESCRIBE_STRUCT(CaptureSite, (), (mode, begin, ended, failed, elsewhere))

/// Facts of captures besides those that failed.
struct CaptureAudit {
  std::vector<CaptureSite> sites;  ///< also of captures that were not listened to throughout
  std::vector<CaptureCall> calls;  ///< of other effects than `broke`
  std::uint64_t unheard = 0;       ///< failures whose breaking call was not listened to
  RecordedSource source;
};
BOOST_DESCRIBE_STRUCT(CaptureAudit, (), (sites, calls, unheard, source))

/// Captures that were listened to until they ended.
struct RecordedCaptures {
  std::uint64_t ended = 0;  ///< in all
  std::vector<CaptureCall> failed;
  std::optional<CaptureAudit> audit{};  ///< absent in recordings before version 4
};
BOOST_DESCRIBE_STRUCT(RecordedCaptures, (), (ended, failed, audit))

}  // namespace trilane
