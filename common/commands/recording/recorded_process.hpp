// One process of the application with the library that records it, and what to say of it.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/application/iteration/records/application_recording.hpp"
#include "common/application/iteration/records/recorder_status.hpp"
#include "common/application/iteration/records/replay_record.hpp"
#include "common/base/console/temporary.hpp"
#include "common/commands/options/given.hpp"
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

/// A file with a page for the library. Throws std::system_error.
class StatusPage {
 public:
  explicit StatusPage(const std::string& path);
  StatusPage(const StatusPage&) = delete;
  StatusPage& operator=(const StatusPage&) = delete;
  ~StatusPage();

  const RecorderStatus& operator*() const { return *page_; }
  /// Returns the words about the problem, terminated and printable whatever the application left
  /// there.
  std::string words() const;

 private:
  RecorderStatus* page_ = nullptr;
};

/// The user's request to the library.
struct RecordingRequest {
  std::vector<std::string> words;  ///< the application and its arguments
  std::string range;               ///< the NVTX range that is an iteration; empty: the repeating
                                   ///< calls
  bool with_data = false;
};

/// Runs the application, waits for its end, and reads what the library left.
class RecordedProcess {
 public:
  /// Throws UsageError if options of the replay contradict one another.
  RecordedProcess(const RecordingRequest& request, const Given& given);

  const Recorded& recorded() const { return recorded_; }
  /// Absent if none was requested, or the library left none that can be read.
  const std::optional<ReplayRecord>& replay() const { return replay_; }
  /// Returns why it cannot be read; or empty.
  const std::string& unreadable_replay() const { return unreadable_replay_; }

 private:
  TemporaryFolder folder_;
  StatusPage page_;
  Recorded recorded_;
  std::optional<ReplayRecord> replay_;
  std::string unreadable_replay_;
};

}  // namespace trilane
