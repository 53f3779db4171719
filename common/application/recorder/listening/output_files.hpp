// The files that the starting program reads when the application has ended.
#pragma once

#include "common/application/iteration/recorder_status.hpp"

namespace trilane {

/// Returns the page in the file that the environment names; nullptr without one.
RecorderStatus* shared_page();

/// Notes why the library does not listen, unless an earlier problem is noted.
void note_problem(RecorderStatus& page, RecorderProblem problem, const std::string& words);

/// Replaces the file by way of a temporary name beside it. Throws std::runtime_error.
void replace_file(const std::string& path, const std::string& text);

}  // namespace trilane
