// The verdict on a comparison: which variant to use, and why.
#pragma once

#include <optional>
#include <string>

#include "common/results/results.hpp"

namespace trilane {

/// The advised variant, what it is compared with, and the advice in words. May have words only.
struct Choice {
  const Measurement* use = nullptr;
  const Measurement* over = nullptr;
  std::optional<Ratio> ratio{};
  std::string said{};
};

/// The choice that verdict() states; it points into the comparison. `measured` is the word to use,
/// "measured" or "simulated".
Choice choose(const Comparison& comparison, const char* measured);

/// Which variant to use on this workload: the fastest by wall time, its speed over the reference,
/// and every variant that ties with either. The reference is advised unless another variant is
/// faster by more than a tie. Then, as far as known: its break-even, its memory, what limits it,
/// and what to try next. `simulated` is the profile of simulated times; it is empty for measured
/// times. Needs what derive() fills before it.
std::string verdict(const Comparison& comparison, const std::string& simulated = {});

/// The same in parts; nothing if no variant can be advised.
std::optional<Advice> advice(const Comparison& comparison);

/// "3.1", "310": a number of passes in at most six characters.
std::string passes_text(double passes);

}  // namespace trilane
