// Replies in short.
#pragma once

#include "common/ask/question/question.hpp"
#include "common/text/page.hpp"

namespace trilane {

/// By subject, the questions that were asked, each with yes, no or what else was found. Those that
/// this program does not have come last, with their names alone.
Page overview_page(const Replies& replies);

}  // namespace trilane
