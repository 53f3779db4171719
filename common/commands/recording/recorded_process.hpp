// One process of the application with the library that records it, and merged replays of several.
#pragma once

#include <sys/mman.h>

#include "common/application/iteration/application_recording.hpp"
#include "common/application/iteration/recorder_status.hpp"
#include "common/application/iteration/recording_file.hpp"
#include "common/base/console/output_file.hpp"
#include "common/base/system/process.hpp"
#include "common/commands/options/command_line.hpp"

namespace trilane {

/// The end of an application.
struct ApplicationEnd : ProcessEnd {
  bool stopped = false;  ///< a signal that stops a run came, whatever the program did
};

/// The facts known after the application's end.
struct Recorded {
  ApplicationEnd end;
  const RecorderStatus& status;
  std::optional<ApplicationRecording> recording{};  ///< absent: the library wrote none
  std::string unreadable{};  ///< why the file that it wrote cannot be read; or empty
};

/// Returns one line each, the most important first: the iteration that was found, or why none was.
std::vector<std::string> recorded_words(const Recorded& recorded);

/// One run of the application, from its start to what the library left.
struct RecordedProcess {
  /// Runs the application that the operands name, found as by a shell, and waits for its end.
  /// Standard streams, terminal and process group are the caller's. Passes on a signal from another
  /// process. Throws NotPossible if no process can be created, std::system_error, and UsageError if
  /// options of the replay contradict one another.
  explicit RecordedProcess(const Given& given);

  TemporaryFolder folder;
  struct Unmap {
    void operator()(RecorderStatus* page) const { munmap(page, sizeof *page); }
  };
  std::unique_ptr<RecorderStatus, Unmap> page;  ///< in a file that the library maps, too
  Recorded recorded;
  /// Absent if none was requested, or the library left none that can be read.
  std::optional<ReplayRecord> replay;
  std::string unreadable_replay;  ///< why it cannot be read; or empty
};

/// Returns one record with all samples, so that the intervals cover differences between processes,
/// and medians of the other times. A flag is set if it is in any record. Each record needs a
/// comparison. Throws std::invalid_argument without records, and for different iterations.
ReplayRecord merged_replay(const std::vector<ReplayRecord>& records);

}  // namespace trilane
