// The page that the program which started the application reads when that has ended.
#pragma once

#include <string>

#include "common/application/iteration/records/recorder_status.hpp"

namespace trilane {

/// The page in the file that the environment names; nullptr without one.
RecorderStatus* shared_page();

/// Notes why the library does not listen, unless an earlier problem stands there.
void note_problem(RecorderStatus& page, RecorderProblem problem, const std::string& words);

}  // namespace trilane
