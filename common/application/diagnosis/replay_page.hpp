// Lays the result of a replay out as a page, and says what prevents the capture of an iteration.
#pragma once

#include "common/application/iteration/diagnosis.hpp"
#include "common/application/iteration/recording_file.hpp"
#include "common/base/text/page.hpp"

namespace trilane {

/// Returns sentences for each obstacle: the call to change, the reason, and the remedy.
std::vector<std::string> capture_words(const std::vector<CaptureObstacle>& obstacles);

/// Returns the choice among the candidates as a sentence, behind what it holds for.
/// `record.comparison` must be there. `device_us`: see choose_candidate().
std::string answer_words(const ReplayRecord& record, std::optional<double> device_us = {});

/// Returns why nothing was replayed or is claimed, with a kernel's name in at most `kernel_width`
/// characters.
std::string refusal_words(const ReplayRecord& record, std::size_t kernel_width = std::string::npos);

/// Returns what weakens the answer, as sentences.
std::vector<std::string> reservations_on(const ReplayRecord& record);

/// Returns the answer first: the best change and its gain with the interval. Then come a row for
/// each candidate, what bounds or weakens the answer, and what a capture would break on.
/// `record.comparison` needs derive().
Page replay_page(const ReplayRecord& record, const std::vector<CaptureObstacle>& obstacles = {},
                 std::optional<double> device_us = {});

}  // namespace trilane
