// Gives the verdict on a comparison: which variant to use, and why.
#pragma once

#include "common/model/results/results.hpp"

namespace trilane {

/// The origin of times: measured, or from the simulated device.
enum class Times { measured, simulated };

/// The advised variant, what it is compared with, and the advice in words. May have words only.
struct Choice {
  const Measurement* use = nullptr;
  const Measurement* over = nullptr;
  std::optional<Ratio> ratio{};  ///< relative to it
  std::string said{};            ///< the advice, in sentences that do not start with a capital
  std::string submission{};      ///< how host submission changes, a sentence after a space
  std::string ties{};            ///< which variants tie with which, also after a space
};

/// Returns the choice that verdict() states; it points into the comparison. Needs winners_of().
/// Advises the best of the reference's tier: the reference unless another variant is faster by more
/// than a tie and at least 1%. Then says what the other tiers offer. Without a reference, advises
/// the first tier that was timed. For an application: choose_candidate().
Choice choose(const Comparison& comparison, Times times);

/// Returns the choice for an application: the fastest candidate that is a gain over the same calls
/// and over the application itself (promise.hpp), or the same calls. Adds the share of the
/// application's own host code, what the bounds would allow, and the modes of times that have
/// several. If only the replay gains, says so and why. Needs winners_of(). `device_us`: what the
/// device needs for an iteration, by the recorded times of its operations.
Choice choose_candidate(const Comparison& comparison, std::optional<double> device_us = {});

/// Returns "2.9 times as fast as streams [2.89, 2.91]".
std::string faster_words(const Ratio& ratio, const std::string& than);

/// Returns the choice's break-even and device memory, as sentences with a space before each.
std::string cost_of(const Choice& choice);

/// Says which variant to use on this workload: the choice, and every variant of its tier that ties.
/// Then, as far as known: its break-even, its memory, what limits it, and what to try next.
/// `simulated` is the profile of simulated times; empty for measured times. Needs derive().
std::string verdict(const Comparison& comparison, const std::string& simulated = {});

/// Returns the same in parts; nothing if no variant can be advised.
std::optional<Advice> advice(const Comparison& comparison);

/// Returns "3.1" or "310": a number of passes in at most six characters.
std::string passes_text(double passes);

/// Returns the same of a break-even of that kind; "always" or "never" without an end.
std::string passes_text(const std::optional<double>& passes, Pays kind);

}  // namespace trilane
