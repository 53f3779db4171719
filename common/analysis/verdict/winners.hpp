// The best variant of each tier.
#pragma once

#include <optional>
#include <vector>

#include "common/results/results.hpp"

namespace trilane {

/// The variants that are ok and timed, the shortest median wall time first.
std::vector<const Measurement*> timed_variants(const Comparison& comparison);

/// The ratio of wall times, `m` over `base`; neither need be the comparison's reference.
std::optional<Ratio> ratio_over(const Measurement& m, const Measurement& base);

/// Whether `m` is faster than the reference by at least 1%, and its interval says so. A smaller
/// gain can be measured, but processes differ by more.
bool worth_a_change(const Measurement& m);

/// The best variant of each tier that was timed, in the order of the tiers. The reference wins its
/// tier unless another variant is worth a change. Among variants that tie with the fastest, the
/// first of the comparison wins: they are listed from plain to elaborate.
std::vector<Winner> winners_of(const Comparison& comparison);

}  // namespace trilane
