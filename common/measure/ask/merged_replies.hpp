// The replies of several processes as one.
#pragma once

#include <span>

#include "common/measure/ask/question.hpp"

namespace trilane {

/// Returns one reply to each question that any process answered, in the order of asking, concluded
/// from the samples of all processes. If a question failed in one process, the merged reply has
/// failed for that reason. The context is the first process's. Throws std::invalid_argument without
/// replies.
Replies merged_replies(std::span<const Replies> all);

/// Merges the replies to one question; there must be at least one.
Reply merged_reply(const Question& question, const std::vector<const Reply*>& of_processes);

}  // namespace trilane
