// An iteration cut at its host waits: the stretches that a graph each could hold, with the order
// that the application gave their operations.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/application/iteration/records/application_recording.hpp"

namespace trilane {

/// One operation of a stretch.
struct StretchNode {
  std::uint32_t call = 0;            ///< index in ApplicationRecording::calls
  std::vector<std::uint32_t> after;  ///< earlier nodes of the stretch, by position; sorted
  /// It may begin before the kernels that it follows are done: programmatic edges.
  bool programmatic = false;
  bool operator==(const StretchNode&) const = default;
};

/// The calls from one host wait to the next.
struct Stretch {
  std::vector<StretchNode> nodes;
  /// The application's own time between these calls, and that of calls that stay: queries.
  double host_us = 0;
  bool operator==(const Stretch&) const = default;
};

/// Whether the host waits at this call, so that what follows is another stretch.
bool ends_stretch(const RecordedCall& call, const ApplicationRecording& recording);

/// The stretches of an iteration. An operation follows those before it on its stream, those that
/// its stream waits for by events, and those that the legacy default stream orders it behind; what
/// another one implies is left out. Stretches follow one another. cudaMalloc and cudaFree are left
/// out, as a program does that allocates once, but not the order that a cudaFree gives, which waits
/// for everything. The last stretch may have no wait behind it.
std::vector<Stretch> stretches_of(const ApplicationRecording& recording);

/// Whether the host has waited for all of an iteration's operations when the iteration ends.
/// Otherwise the next one overlaps with it.
bool waits_for_all(const ApplicationRecording& recording);

/// Returns true if iterations may be issued back to back, as the application does: one leaves work
/// behind, and all use the same memory outside of what they allocate. Where buffers alternate from
/// iteration to iteration, a replay uses one of them each time, and the next iteration would write
/// to it while the one before still reads.
bool runs_ahead(const ApplicationRecording& recording);

/// What the host waits for at the end of a stretch of a loop that runs ahead.
struct StretchWait {
  enum class For : std::uint8_t {
    nothing,     ///< the last stretch has no wait, or what it waits for was done before the loop
    everything,  ///< all that was issued
    stretch,     ///< the operations of one stretch, and those before it
  };
  For what = For::nothing;
  std::size_t stretch = 0;  ///< its number; one behind its own is that of the iteration before
  bool operator==(const StretchWait&) const = default;
};

/// Returns one for each of stretches_of().
std::vector<StretchWait> waits_of_stretches(const ApplicationRecording& recording);

/// Whether an argument or a pointer of the call is not the same in every iteration.
bool varies(const RecordedCall& call);

/// Why the stretches cannot be graphs, naming the call; empty if they can.
std::string why_no_graph(const ApplicationRecording& recording);

}  // namespace trilane
