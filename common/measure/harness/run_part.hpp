// The measurements of one process of a run besides the passes of its variants.
#pragma once

#include <cstdint>

namespace trilane {

/// The role of a comparison in its run.
enum class RunPart {
  whole,    ///< the only one: its interval rests on its rounds
  first,    ///< the first of several, which the interval spans
  further,  ///< a later one: without the limit, which is the machine's
};

/// Returns the part of process number `process`, from 0, in a run of `of` processes.
RunPart part_of_run(std::uint32_t process, std::uint32_t of);

/// Returns true if that part measures the limit.
bool measures_limit(RunPart part);

/// Returns the fewest set-ups of each variant for its price.
std::uint32_t fewest_prices(RunPart part);

}  // namespace trilane
