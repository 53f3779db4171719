// What keeps a variant from being faster, by the figures of its comparison, and what to try next.
#pragma once

#include <optional>
#include <string>

#include "common/analysis/limits/loads.hpp"
#include "common/results/results.hpp"

namespace trilane {

struct Limitation {
  std::optional<Limiter> by;    ///< absent where the comparison has no limit to hold times against
  std::optional<double> share;  ///< of the variant's wall time
  std::string figures, next;    ///< parts of sentences
};

/// Whatever takes most of the wall time, if that is more than half of it: "host submission",
/// "copy in", "copy out", "SMs", or "kernel launches" where kernels are so short that starting them
/// is a good part of it; "a lane's stages" where too few chunks are under way at once; "kernels in
/// turn" where one stream runs them, and kernels of several could share the SMs; "memory
/// management" where each chunk waits for the device to allocate; "waiting" where the host waits or
/// nothing is busy for long, unless the variant is at its bound: then what sets that; "launch and
/// wait" of a single short kernel, "its kernels" where several do more than the stages that were
/// measured.
/// No figure is named that a measured variant with the same to do beats. Measurements that are not
/// ok have none.
Limitation limitation_of(const Comparison& comparison, const Measurement& measurement);

/// Where that limits the measurement, as part of a sentence. `load.us` counts for the copy engines
/// and the SMs. Throws std::logic_error for what sets bounds only.
std::string next_step(const Load& load, const Comparison& comparison, const Measurement& m);

}  // namespace trilane
