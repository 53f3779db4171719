// Gives the verdict on a comparison: which variant to use, and why; and the words for ranges.
#pragma once

#include "common/model/results/find.hpp"

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

/// The words for a ratio and its range. If a model sees no gain, the GPU may still show one.
struct RangeWords {
  const char* range;                 ///< what the range is: "95% interval in this process"
  const char* tie;                   ///< a ratio whose range contains 1
  const char* no_difference;         ///< the same of a change
  const char *ties_with, *tie_with;  ///< the same of one variant or several: "graph ties with pool"
  const char* undecided;             ///< why a ratio does not decide, see decides()
};

/// Returns the words for a range that covers this.
constexpr RangeWords range_words(Covers covers) {
  constexpr const char* alike = "cannot be distinguished from";
  if (covers == Covers::model_error) {
    return {"model's error", "inconclusive", "inconclusive", alike, alike, "error not known"};
  }
  const char* const range = covers == Covers::rounds    ? "95% interval in this process"
                            : covers == Covers::nothing ? "exact"
                                                        : "95% interval";
  return {range, "tie", "no difference", "ties with", "tie with", "too few rounds"};
}

/// Returns how far two predicted times can differ, "<12%", if the model's error is small enough to
/// tell that much; otherwise an empty text.
inline std::string small_difference(const Ratio& ratio) {
  constexpr double most = 0.2;
  const double difference = std::max(ratio.high, 1 / ratio.low) - 1;
  if (ratio.covers != Covers::model_error || !(difference <= most)) return "";
  return fmt::format("<{:.0f}%", std::ceil(100 * difference - 1e-9));
}

/// Returns a range in a sentence: "[2.9, 3.1 in this process]", "[model's error: 2.4 to 3.6]".
inline std::string range_text(Covers covers, const std::string& low, const std::string& high) {
  switch (covers) {
    case Covers::rounds: return "[" + low + ", " + high + " in this process]";
    case Covers::processes: break;
    case Covers::model_error: return "[model's error: " + low + " to " + high + "]";
    case Covers::nothing: return "";
  }
  return "[" + low + ", " + high + "]";
}

/// Returns what the ranges of a comparison cover.
inline Covers covers_of(const Comparison& comparison) {
  if (is_predicted(comparison)) return Covers::model_error;
  return comparison.processes > 1 ? Covers::processes : Covers::rounds;
}

}  // namespace trilane
