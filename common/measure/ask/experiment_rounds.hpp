// Runs experiments and makes replies of their results.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "common/measure/ask/question.hpp"

namespace trilane {

struct AskSettings {
  double seconds = 3;                     ///< measuring time of an experiment
  std::uint32_t fewest = 12, most = 200;  ///< rounds, regardless of the time
  std::uint64_t seed = 1;                 ///< of the order of conditions
  bool simulated = false;                 ///< rounds do not differ: runs the fewest
  std::function<bool()> interrupted = [] { return false; };  ///< asked between samples
  /// For tests: replaces a condition by a reversed one, given their indices.
  std::optional<std::pair<std::size_t, std::size_t>> turned_round = {};
};

/// Sets up the experiment, measures every condition once a round in a freshly shuffled order, and
/// concludes. The first round is a warm-up and does not count. An error becomes the answer. Throws
/// Interrupted.
Reply ask(const Question& question, const AskSettings& settings);

/// Returns the figures alone. Throws Interrupted and any error of the experiment.
std::vector<Figure> measure(const Question& question, const AskSettings& settings);

}  // namespace trilane
