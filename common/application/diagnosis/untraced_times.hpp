// The times of an iteration without a tracer. Tracing lengthens calls and holds streams up, so an
// iteration of short operations looks different while it is traced.
#pragma once

#include "common/application/iteration/order/happens_before.hpp"
#include "common/application/iteration/records/application_recording.hpp"
#include "common/application/iteration/records/reconstruction.hpp"

namespace trilane {

struct UntracedTimes {
  /// The given recording; with the calls' times without a tracer if Reconstruction::used.
  ApplicationRecording recording;
  /// Absent where nothing was traced, and where nothing was measured to compare it with.
  std::optional<Reconstruction> reconstruction;
};

/// Puts the calls' own times and the operations' traced lengths together. `order` is of two
/// repetitions.
UntracedTimes untraced_times(const ApplicationRecording& recording, const HappensBefore& order);

}  // namespace trilane
