// Questions and replies as a page for people.
#pragma once

#include "common/base/text/page.hpp"
#include "common/measure/ask/question.hpp"

namespace trilane {

/// All questions by subject, with their names.
Page questions_page();

/// Each question, the wrong claim about it if there is a common one, its answer, what the
/// simulated device's check of hazards says to it, what it means, where the documentation stands,
/// and the figures that show it. For replies whose question this
/// program does not have, only the answer and the figures. At the end, how many processes measured.
Page replies_page(const Replies& replies);

}  // namespace trilane
