// Runs experiments, and makes replies of their results.
#pragma once

#include "common/measure/ask/question.hpp"
#include "common/measure/rounds/contest.hpp"

namespace trilane {

struct AskSettings {
  RoundSettings rounds = {.seconds = 3, .fewest = 12, .most = 200};  ///< of conditions
  bool simulated = false;  ///< rounds do not differ: runs the fewest
  std::function<bool()> interrupted = [] { return false; };  ///< asked between samples
  /// For tests: replaces a condition by a reversed one, given their indices.
  std::optional<std::pair<std::size_t, std::size_t>> turned_round = {};
};

/// Sets up the experiment, measures every condition once a round in a freshly shuffled order, and
/// concludes. The first round is a warm-up. An error becomes the answer. Throws Interrupted.
Reply ask(const Question& question, const AskSettings& settings);

/// Returns the figures alone. Throws Interrupted and any error of the experiment.
std::vector<Figure> measure(const Question& question, const AskSettings& settings);

/// Returns one reply to each question that any process answered, in the order of asking, concluded
/// from the samples of all processes. If a question failed in one process, the merged reply has
/// failed for that reason. The context is the first process's. Throws std::invalid_argument.
Replies merged_replies(std::span<const Replies> all);

/// Merges the replies to one question; there must be at least one.
Reply merged_reply(const Question& question, const std::vector<const Reply*>& of_processes);

}  // namespace trilane
