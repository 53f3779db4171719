// Replies in short.
#pragma once

#include "common/base/text/page.hpp"
#include "common/measure/ask/question.hpp"

namespace trilane {

/// How many processes found something else than all of them together, and what: "In 2 of 5
/// processes: no." Empty if all agree.
std::string disagreement(const Reply& reply);

/// By subject, the questions that were asked, each with yes, no or what else was found. Those that
/// this program does not have come last, with their names alone.
Page overview_page(const Replies& replies);

}  // namespace trilane
