// One further process of this program.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace trilane {

/// Runs from construction on. Its standard output is dropped, what it says on standard error kept
/// in a file. It has a process group of its own: Ctrl-C on a terminal reaches whoever started it,
/// who passes it on, so that it does not come twice and cut the process off. It is killed with the
/// thread that made it, however that ends: a process left alone would go on to measure for nobody.
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
