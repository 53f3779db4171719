// What limits a variant's speed, by the figures of its comparison, and what to try next.
#pragma once

#include <optional>
#include <string>

#include "common/analysis/limits/loads.hpp"
#include "common/results/results.hpp"

namespace trilane {

struct Limitation {
  std::optional<Limiter> by;    ///< absent if the comparison has no limit
  std::optional<double> share;  ///< of the variant's wall time
  std::string figures, next;    ///< parts of sentences
};

/// What takes more than half of the wall time: "host submission", "copy in", "copy out", "SMs", or
/// "kernel launches" where starting short kernels is a large part of their time; "a lane's stages"
/// where too few chunks overlap; "kernels in turn" where one stream runs kernels that could share
/// the SMs; "memory management" where each chunk waits for the device to allocate. If nothing does:
/// what sets the bound of a variant that reaches it, "launch and wait" for a single short kernel,
/// "its kernels" where they do more than the stages that were measured, otherwise "waiting". Leaves
/// out a figure if a faster variant with the same work disproves it. Empty for measurements that
/// are not ok.
Limitation limitation_of(const Comparison& comparison, const Measurement& measurement);

/// What to try where the load limits the measurement, as part of a sentence. `load.us` is read only
/// for the copy engines and the SMs. Throws std::logic_error for what only sets bounds.
std::string next_step(const Load& load, const Comparison& comparison, const Measurement& m);

}  // namespace trilane
