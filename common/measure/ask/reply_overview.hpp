// A short overview of replies.
#pragma once

#include "common/base/text/page.hpp"
#include "common/measure/ask/question.hpp"

namespace trilane {

/// Returns how many processes disagree with the merged finding, and what they found: "In 2 of 5
/// processes: no." Empty if all agree.
std::string disagreement(const Reply& reply);

/// Returns the questions asked, by subject, each with yes, no or another finding. Questions unknown
/// to this program come last, by name only.
Page overview_page(const Replies& replies);

}  // namespace trilane
