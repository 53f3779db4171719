// Measures a variant in its own process, with the GPU to itself meanwhile.
#pragma once

#include "common/base/system/company.hpp"
#include "common/measure/rounds/harness.hpp"

namespace trilane {

/// A step of this member of a company, see there; by default it works alone.
struct Meanwhile {
  Company* company = nullptr;
  std::uint64_t step = 0;

  void begin() const;  ///< throws Interrupted
  void timed() const {
    if (company) company->timed(step);
  }
  bool others_work() const { return company && company->others_work(step); }
  /// Says that this one is done, and returns true if all took part. Waits for them, or a signal.
  bool all_took_part(bool took_part) const;
};

/// Measures a variant in these steps:
/// - sets it up and runs a first pass,
/// - checks a pass on new input and compares its evidence with its plan,
/// - times one turn of about `seconds` (bench.hpp), at the same time as other processes, and keeps
///   the GPU at work until these have timed theirs,
/// - checks a pass on new input again, waits until the others have done so, and tears it down.
/// Fills its measurement if that is ok. A failing variant is left out, with the reason; after an
/// interrupt, and if another process did not work all the time, its status is not run.
/// Shortens comparison.batch if passes are long. Returns the time of the turn in seconds. Throws
/// the errors of the bench's new_input().
double measure_alone(Bench& bench, Comparison& comparison, std::size_t variant, double seconds,
                     const HarnessListener& listener, const Meanwhile& meanwhile = {});

/// Returns the contenders in an order shuffled by the comparison's seed.
std::vector<std::size_t> order_of(const Comparison& comparison);

/// Ends a comparison after all variants were measured: records why it stopped, and summarises.
void conclude(Comparison& comparison, const HarnessListener& listener);

}  // namespace trilane
