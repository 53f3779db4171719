// What limits a variant's speed, by the figures of its comparison.
#pragma once

#include <optional>
#include <string>

#include "common/model/results/results.hpp"

namespace trilane {

struct Limitation {
  std::optional<Limiter> by;    ///< absent if the comparison has no limit
  std::optional<double> share;  ///< of the variant's wall time
  std::string figures;          ///< part of a sentence
};

/// The longest load (loads.hpp) if it takes more than half of the wall time. "memory management"
/// where each chunk waits for the device to allocate, and "waiting" where the host waits after each
/// operation. If nothing takes more than half: "launch and wait" for a single short kernel, "its
/// kernels" where they do more than the stages that were measured, otherwise "waiting". Empty for
/// measurements that are not ok.
Limitation limitation_of(const Comparison& comparison, const Measurement& measurement);

}  // namespace trilane
