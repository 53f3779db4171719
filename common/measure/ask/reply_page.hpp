// Questions and replies as a page for people.
#pragma once

#include "common/base/text/page.hpp"
#include "common/measure/ask/question.hpp"

namespace trilane {

/// Returns all questions by subject, with their names.
Page questions_page();

/// Returns a page that shows for each question:
/// - a common misconception about it, if there is one,
/// - its answer, and the result of the simulated device's hazard check,
/// - what the answer means, and what the documentation says,
/// - the figures behind it.
/// Replies to questions unknown to this program have only the answer and the figures. The number of
/// processes stands at the end.
Page replies_page(const Replies& replies);

}  // namespace trilane
