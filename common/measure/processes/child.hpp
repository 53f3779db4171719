// Another process of this program.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace trilane {

/// A child's inheritance besides its arguments.
struct ChildGifts {
  std::vector<std::string> variables{};  ///< of the environment: "NAME=value"
  std::vector<int> files{};              ///< open files that it inherits
};

/// Runs from construction on. Its standard output is dropped; its standard error goes to a file. It
/// has its own process group, so that Ctrl-C reaches only the parent, which passes it on; otherwise
/// it would arrive twice and end the child at once. The child is killed when its creating thread
/// ends, because nothing would read its results.
class Child {
 public:
  /// Throws NotPossible if no process can be created. A child that cannot start this program writes
  /// the reason to `errors` and ends with 127. A child that gives up writes its bare message to
  /// `message`, if given.
  Child(const std::vector<std::string>& arguments, const std::filesystem::path& errors,
        const std::filesystem::path& message = {}, const ChildGifts& gifts = {});
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  /// Kills the child if it still runs, and waits for its end.
  ~Child();

  /// Returns its exit code, or 128 plus the number of the signal that ended it; absent while it
  /// runs.
  std::optional<int> ended();
  void interrupt();

 private:
  pid_t id_ = 0;
  std::optional<int> code_;
};

}  // namespace trilane
