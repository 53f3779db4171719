// Words for the range of a figure in tables and sentences, by what it covers.
#pragma once

#include <string>

#include "common/model/results/find.hpp"
#include "common/model/results/results.hpp"

namespace trilane {

/// Returns "95% interval", "95% interval in this process" or "model's error".
constexpr const char* range_words(Covers covers) {
  switch (covers) {
    case Covers::rounds: return "95% interval in this process";
    case Covers::processes: return "95% interval";
    case Covers::model_error: return "model's error";
    case Covers::nothing: return "exact";
  }
  return "";
}

/// Returns a range in a sentence: "[2.9, 3.1]", "[2.9, 3.1 in this process]", "[model's error: 2.4
/// to 3.6]".
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

/// Describes a ratio whose range contains 1. If a model sees no gain, the GPU may still show one.
constexpr const char* tie_words(Covers covers) {
  switch (covers) {
    case Covers::rounds:
    case Covers::processes:
    case Covers::nothing: return "tie";
    case Covers::model_error: return "not told apart";
  }
  return "";
}

/// Says the same of a change: "no difference", "not told apart".
constexpr const char* no_difference(Covers covers) {
  switch (covers) {
    case Covers::rounds:
    case Covers::processes:
    case Covers::nothing: return "no difference";
    case Covers::model_error: return "not told apart";
  }
  return "";
}

/// Says the same of two variants: "graph ties with pool".
constexpr const char* ties_with(Covers covers, bool several) {
  switch (covers) {
    case Covers::rounds:
    case Covers::processes:
    case Covers::nothing: return several ? "tie with" : "ties with";
    case Covers::model_error: return several ? "are not told apart from" : "is not told apart from";
  }
  return "";
}

/// Says why a ratio does not decide, see decides().
constexpr const char* why_undecided(Covers covers) {
  switch (covers) {
    case Covers::rounds:
    case Covers::processes:
    case Covers::nothing: return "too few rounds";
    case Covers::model_error: return "error not known";
  }
  return "";
}

}  // namespace trilane
