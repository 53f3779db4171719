// What one process of a run measures besides the passes of its variants.
#pragma once

#include <cstdint>

namespace trilane {

/// What a comparison is of the run.
enum class RunPart {
  whole,    ///< all of it: its interval rests on its rounds
  first,    ///< the first of several, over which the interval is
  further,  ///< another of them: without the limit, which is the machine's
};

/// The part that is process number `process`, from 0, of a run of `of` processes.
RunPart part_of_run(std::uint32_t process, std::uint32_t of);

/// Returns true if that part measures the limit.
bool measures_limit(RunPart part);

/// Returns how often each variant is set up for its price, at least.
std::uint32_t fewest_prices(RunPart part);

}  // namespace trilane
