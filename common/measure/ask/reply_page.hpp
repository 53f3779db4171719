// Questions and replies as a page for people.
#pragma once

#include "common/base/text/page.hpp"
#include "common/measure/ask/question.hpp"

namespace trilane {

/// Returns what processes found that disagree: "In 2 of 5 processes: no." Empty if all agree.
std::string disagreement(const Reply& reply);

/// Returns the questions by subject, each with its finding. Unknown ones come last, by name only.
Page overview_page(const Replies& replies);

/// Returns all questions by subject, with their names.
Page questions_page();

/// Returns a page that shows for each question: a misconception about it, its answer, the result of
/// the simulated device's hazard check, what the answer and the documentation say, and the figures.
/// Unknown questions have only answer and figures. Ends with the number of processes.
Page replies_page(const Replies& replies);

}  // namespace trilane
