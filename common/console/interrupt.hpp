// Ctrl-C: the first stops the run at its next safe point, the second at once.
#pragma once

#include <csignal>

namespace trilane {

/// While a guard lives, the first SIGINT or SIGTERM sets the flag that interrupted() reads; the
/// second ends the process at once with exit_interrupted. A signal that was ignored (nohup) stays
/// ignored. Only one guard may live; its destructor restores the earlier handlers.
class InterruptGuard {
 public:
  InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
  ~InterruptGuard();

 private:
  struct sigaction old_int_ = {}, old_term_ = {};
};

/// Whether a signal has arrived since the last guard was made.
bool interrupted();

}  // namespace trilane
