// Finds the library that is loaded into the application.
#pragma once

#include <string>

#include "common/application/iteration/records/recorder_status.hpp"

namespace trilane {

/// Returns its path: beside this program, or in lib/trilane beside the folder of an installed one.
/// Throws NotPossible if it is in neither.
std::string recorder_library();

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

}  // namespace trilane
