// The verdict on a comparison: which variant to use, and why.
#pragma once

#include <optional>
#include <string>

#include "common/model/results/results.hpp"

namespace trilane {

/// Whether times were measured or come from the simulated device.
enum class Times { measured, simulated };

/// The advised variant, what it is compared with, and the advice in words. May have words only.
struct Choice {
  const Measurement* use = nullptr;
  const Measurement* over = nullptr;
  std::optional<Ratio> ratio{};  ///< over that
  std::string said{};            ///< the advice, in sentences that do not start with a capital
  std::string submission{};      ///< how host submission changes, a sentence after a space
  std::string ties{};            ///< which variants tie with which, the same
};

/// The choice that verdict() states; it points into the comparison. The best of the reference's
/// tier is advised: the reference unless another variant is faster by more than a tie and at least
/// 1%. Then what the other tiers offer, so that a rewrite is never the only advice. Without a
/// reference the first tier that was timed is advised. Of an application: choose_candidate(). Needs
/// winners_of().
Choice choose(const Comparison& comparison, Times times);

/// The choice's break-even and device memory, as sentences with a space before each.
std::string cost_of(const Choice& choice);

/// Which variant to use on this workload: the choice, and every variant of its tier that ties.
/// Then, as far as known: its break-even, its memory, what limits it, and what to try next.
/// `simulated` is the profile of simulated times; it is empty for measured times. Needs what
/// derive() fills before it.
std::string verdict(const Comparison& comparison, const std::string& simulated = {});

/// The same in parts; nothing if no variant can be advised.
std::optional<Advice> advice(const Comparison& comparison);

/// "3.1", "310": a number of passes in at most six characters.
std::string passes_text(double passes);

}  // namespace trilane
