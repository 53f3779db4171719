// Words for the range of a figure in tables and sentences, by what it covers.
#pragma once

#include "common/model/results/find.hpp"
#include "common/model/results/results.hpp"

namespace trilane {

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
