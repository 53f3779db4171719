// Cuts an iteration at its host waits into segments that could each be a graph, with the order that
// the application gave their operations. Computes the host's time between calls.
#pragma once

#include "common/application/iteration/application_recording.hpp"

namespace trilane {

/// One operation of a segment.
struct SegmentNode {
  std::uint32_t call = 0;            ///< index in ApplicationRecording::calls
  std::vector<std::uint32_t> after;  ///< earlier nodes of the segment, by position; sorted
  /// It may begin before its predecessors, which are kernels, are done: programmatic edges.
  bool programmatic = false;
  bool operator==(const SegmentNode&) const = default;
};

/// The calls from one host wait to the next.
struct CallSegment {
  std::vector<SegmentNode> nodes;
  /// The application's own time between these calls, and that of queries, which are not replaced.
  double host_us = 0;
  bool operator==(const CallSegment&) const = default;
};

/// Returns true if the host waits at this call, which ends the segment.
bool ends_segment(const RecordedCall& call, const ApplicationRecording& recording);

/// Returns an iteration's segments, in order.
/// - An operation follows those before it on its stream, those that its stream waits for by events,
///   and those that the legacy stream orders it behind. Implied edges are left out.
/// - cudaMalloc and cudaFree are left out, as in a program that allocates once. The order of a
///   cudaFree, which waits for everything, stays.
/// - The last segment may end without a wait.
std::vector<CallSegment> segments_of(const ApplicationRecording& recording);

/// Returns true if the host has waited for all of an iteration's operations when the iteration
/// ends. Otherwise the next one overlaps with it.
bool waits_for_all(const ApplicationRecording& recording);

/// Returns true if iterations may be issued back to back, as in the application: one leaves work
/// behind, and all use the same memory apart from their own allocations. A replay does not
/// alternate buffers, so the next iteration would write to one while the previous reads.
bool runs_ahead(const ApplicationRecording& recording);

/// The host's wait at the end of a segment of a loop that runs ahead.
struct SegmentWait {
  enum class For : std::uint8_t {
    nothing,     ///< the last segment has no wait, or what it waits for was done before the loop
    everything,  ///< all that was issued
    segment,     ///< the operations of one segment, and those before it
  };
  For what = For::nothing;
  std::size_t segment = 0;  ///< its number; one after its own means the previous iteration's
  bool operator==(const SegmentWait&) const = default;
};

/// Returns one wait for each of segments_of().
std::vector<SegmentWait> waits_of_segments(const ApplicationRecording& recording);

/// Returns why the segments cannot be graphs, naming the call; empty if they can.
std::string why_no_graph(const ApplicationRecording& recording);

/// Returns the same with only those edges that memory needs: between operations that use the same
/// bytes, one of which may write them. Unknown is what kernels use that no argument points to.
/// Graphs and kernels without a known argument keep their order, as do segments of over 2,000
/// nodes.
std::vector<CallSegment> ordered_by_memory(const ApplicationRecording& recording);

/// The nodes of a segment between which an iteration lies.
struct SegmentEnds {
  std::vector<std::uint32_t> first, last;  ///< that follow no other, and that no other follows
};
SegmentEnds ends_of(const CallSegment& segment);

/// Returns why nothing is known of what happens between an iteration and the next; empty if it is.
std::string why_next_is_unknown(const ApplicationRecording& recording);

/// Returns what the host may do between iterations, or steps of one, but wait and read, naming the
/// call; empty: nothing.
std::string why_host_acts(const ApplicationRecording& recording);

/// Returns true if the call, or a graph that it launches, uses memory that is not the device's.
bool uses_host(const RecordedCall& call, const ApplicationRecording& recording);

/// Returns why several iterations cannot be one graph, although one can, naming the call; empty if
/// they can. Between them the host must have nothing to do but to wait and to read what was copied.
std::string why_not_together(const ApplicationRecording& recording);

/// Returns true if operations of the iteration write to the host's memory, which may act on it.
bool gives_results(const ApplicationRecording& recording);

/// Returns the application's own time before each call, in microseconds: RecordedCall::own_us or,
/// without it, the time since the previous call's end or the iteration's start. It is shortened by
/// the ratio of iterations with only their ends watched to the sum of the timed parts.
std::vector<double> own_gaps(const ApplicationRecording& recording);

/// Returns the same plus RecordedCall::runtime_us: all the time before each driver call. If other
/// calls replace these, or calls of the runtime are made, only own_gaps() remains.
std::vector<double> host_gaps(const ApplicationRecording& recording);

}  // namespace trilane
