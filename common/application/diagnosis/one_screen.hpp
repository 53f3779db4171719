// Puts what is known of an application on one screen.
#pragma once

#include "common/application/iteration/diagnosis.hpp"
#include "common/application/iteration/recording_file.hpp"
#include "common/base/text/page.hpp"

namespace trilane {

/// The most lines of a screen as text. `trilane record` prints up to two lines before it.
inline constexpr std::size_t most_screen_lines = 23;

/// Returns the answer, where the time goes, up to five findings, the limits of these statements,
/// and `more`, the commands that show the rest. `replay`: absent if nothing was replayed; its
/// comparison needs derive().
/// - Certain races and failed captures come first, then findings by possible gain.
/// - What else a capture would break on counts if the answer is a graph, or nothing was measured.
/// - Findings that do not fit are left out and counted.
Page one_screen(const Diagnosis& diagnosis, const ReplayRecord* replay, const std::string& more);

}  // namespace trilane
