// Passes behind a gate: what submit does while none of their work can run.
#pragma once

#include "common/model/variant/variant.hpp"

namespace trilane {

struct HeldBack {
  bool returned_before_opening;   ///< both returned while the gate was shut
  bool untouched_before_opening;  ///< the output still was its poison when the gate opened
  bool right_after;               ///< the output is as expected once the origin is idle
};

/// Patience for a submit that must return, however busy the machine is; and for one that waits.
constexpr double long_s = 120, short_s = 0.2;

/// Constructs the variant, shuts a gate on a fresh origin stream and submits two passes to it. The
/// gate opens by itself after `patience_s`, so that a waiting submit returns. After submit the
/// output is watched for `watch_ms`, or until it changes, before the gate opens.
HeldBack submit_behind_gate(const VariantEntry& entry, const Workload& workload, double patience_s,
                            int watch_ms);

}  // namespace trilane
