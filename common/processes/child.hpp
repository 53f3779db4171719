// One further process of this program.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace trilane {

/// Runs from construction on. Its standard output is dropped, its standard error goes to a file.
/// It has a process group of its own: Ctrl-C on a terminal reaches only the parent, which passes
/// it on, so that the child does not get it twice and end at once. It is killed when the thread
/// that made it ends: a process left alone would go on measuring without a reader.
class Child {
 public:
  /// Throws std::system_error when no process can be made; one that cannot become this program says
  /// why in `errors` and ends with 127.
  Child(const std::vector<std::string>& arguments, const std::filesystem::path& errors);
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  /// Ends it at once if it still runs, and waits for that.
  ~Child();

  /// Its exit code, or 128 and the number of the signal that ended it; nothing while it runs.
  std::optional<int> ended();
  void interrupt();

 private:
  pid_t id_ = 0;
  std::optional<int> code_;
};

}  // namespace trilane
