// The replies of several processes as one.
#pragma once

#include <span>

#include "common/measure/ask/question.hpp"

namespace trilane {

/// Every question that a process answered, in the order in which they were asked, concluded from
/// the samples of all processes. A question that failed in one has failed, with that reason. The
/// context is that of the first. Throws std::invalid_argument without replies.
Replies merged_replies(std::span<const Replies> all);

/// The same of one question's replies, of which there is at least one.
Reply merged_reply(const Question& question, const std::vector<const Reply*>& of_processes);

}  // namespace trilane
