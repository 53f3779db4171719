// What one process of a run measures besides the rounds of its variants.
#pragma once

#include <cstdint>

#include "common/harness/comparison_settings.hpp"
#include "common/harness/rounds/harness.hpp"

namespace trilane {

/// What a comparison of variants in processes of their own is of the run.
enum class RunPart {
  whole,    ///< all of it: its interval rests on its rounds
  first,    ///< the first of several, over which the interval is: few rounds
  further,  ///< another of them: without the limit, which is the machine's
};

/// The part that is process number `process`, from 0, of a run of `of` processes.
RunPart part_of_run(std::uint32_t process, std::uint32_t of);

/// Returns true if that part measures the limit.
bool measures_limit(RunPart part);

/// Returns how often each variant is set up for its price, at least.
std::uint32_t fewest_prices(RunPart part);

/// How that part runs variants that are measured apart. Only `whole` ends by precision; every
/// variant is checked before and after its rounds in every part.
HarnessSettings rounds_of(RunPart part, const ComparisonSettings& settings);

}  // namespace trilane
