// Says what `trilane record` reports about an application that has ended.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/application/iteration/records/application_recording.hpp"
#include "common/application/iteration/records/recorder_status.hpp"
#include "common/commands/recording/application.hpp"

namespace trilane {

/// The facts known after the application's end.
struct Recorded {
  ApplicationEnd end;
  const RecorderStatus& status;
  std::string problem_words;                      ///< StatusPage::words()
  std::optional<ApplicationRecording> recording;  ///< absent: the library wrote none
  std::string unreadable;  ///< why the file that it wrote cannot be read; or empty
};

/// Returns one line each, the most important first: the iteration that was found, or why none was.
std::vector<std::string> recorded_words(const Recorded& recorded);

}  // namespace trilane
