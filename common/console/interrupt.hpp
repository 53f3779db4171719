// Ctrl-C: the run stops at its next safe point, a second one stops it at once.
#pragma once

#include <csignal>

namespace trilane {

/// While it lives, the first SIGINT or SIGTERM only sets the flag that interrupted() reads; the
/// second ends the process at once with exit_interrupted. A signal that was ignored (nohup) stays
/// ignored. One at a time; the destructor restores the handlers from before.
class InterruptGuard {
 public:
  InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
  ~InterruptGuard();

 private:
  struct sigaction old_int_ = {}, old_term_ = {};
};

/// Whether a signal has come since the last guard was made.
bool interrupted();

}  // namespace trilane
