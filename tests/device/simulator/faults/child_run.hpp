// A run that forks: the child continues with something changed, and the parent learns how that
// ended.
#pragma once

#include <optional>
#include <string>

#include "tests/device/simulator/faults/faulted_runs.hpp"
#include "tests/device/simulator/faults/redirected.hpp"

namespace trilane::simulator {

class ChildRun {
 public:
  /// `file` is where the child leaves its ending.
  explicit ChildRun(std::string file) : file_(std::move(file)) {}

  /// Forks. Returns true in the child, which must go on and call end(). The parent waits for that
  /// and gets false.
  bool fork();

  bool is_child() const { return err_.has_value(); }

  /// Called in the child: hands the ending over, except what the results file holds, and does not
  /// return.
  [[noreturn]] void end(const Ending& ending) const;

  /// Called in the parent: returns how the last child ended.
  Ending ending() const;

 private:
  std::string file_;
  int status_ = 0;
  std::optional<Redirected> err_;  // from the fork on
};

}  // namespace trilane::simulator
