// Runs experiments and lets them reply.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "common/measure/ask/question.hpp"

namespace trilane {

struct AskSettings {
  double seconds = 3;                     ///< measuring time of an experiment
  std::uint32_t fewest = 12, most = 200;  ///< rounds, whatever the time
  std::uint64_t seed = 1;                 ///< of the order of conditions
  bool simulated = false;                 ///< no round differs from another: takes the fewest
  std::function<bool()> interrupted = [] { return false; };  ///< asked between samples
  /// For tests: puts one that is turned round in the place of a condition, by their indices.
  std::optional<std::pair<std::size_t, std::size_t>> turned_round = {};
};

/// Sets the experiment up, measures every condition once a round, in an order shuffled anew, and
/// concludes. The first round is a warm-up and does not count. What goes wrong becomes the answer.
/// Throws Interrupted.
Reply ask(const Question& question, const AskSettings& settings);

/// The figures alone. Throws what the experiment throws, and Interrupted.
std::vector<Figure> measure(const Question& question, const AskSettings& settings);

}  // namespace trilane
