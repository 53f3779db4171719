// Measures a variant in its own process, with the GPU to itself meanwhile.
#pragma once

#include "common/base/system/company.hpp"
#include "common/measure/rounds/bench.hpp"
#include "common/measure/rounds/harness.hpp"
#include "common/model/results/results.hpp"

namespace trilane {

/// Other processes that work at the same time. The default is to work alone.
struct Meanwhile {
  std::function<void()> begin = [] {};  ///< returns when all are about to time their turn
  std::function<void(bool took_part)> complete = [](bool) {};  ///< only the first call counts
  std::function<bool()> others_work = [] { return false; };    ///< true until all have completed it
  std::function<bool()> all_took_part = [] { return true; };  ///< waits until all have completed it
};

/// Returns what the others of a company do during a step, which has a number of its own.
Meanwhile in_company(Company& company, std::uint64_t step);

/// Measures a variant in these steps:
/// - sets it up and runs a first pass,
/// - checks a pass on new input and compares its evidence with its plan,
/// - times one turn of about `seconds` (bench.hpp), at the same time as other processes, and keeps
///   the GPU at work until these have timed theirs,
/// - checks a pass on new input again, and tears it down.
/// Fills its measurement if that is ok. A failing variant is left out, with the reason; after an
/// interrupt, and if another process did not time it at the same time, its status is not run.
/// Shortens comparison.batch if passes are long. Returns the time of the turn in seconds. Throws
/// the errors of the bench's new_input().
double measure_alone(Bench& bench, Comparison& comparison, std::size_t variant, double seconds,
                     const HarnessListener& listener, const Meanwhile& meanwhile = {});

/// Returns the contenders in an order shuffled by the comparison's seed.
std::vector<std::size_t> order_of(const Comparison& comparison);

/// Ends a comparison after all variants were measured: records why it stopped, and summarises.
void conclude(Comparison& comparison, const HarnessListener& listener);

}  // namespace trilane
