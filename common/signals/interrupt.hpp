// Ctrl-C: the first stops the run at its next safe point, the second at once.
#pragma once

#include <csignal>
#include <exception>
#include <iterator>

namespace trilane {

/// While a guard lives, the first SIGINT, SIGTERM or SIGHUP sets the flag that interrupted() reads,
/// and says on standard error that the program is stopping; the second ends the process at once
/// with exit_interrupted. A signal that was ignored (nohup) stays ignored. Only one guard may live;
/// its destructor restores the earlier handlers.
class InterruptGuard {
 public:
  InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
  ~InterruptGuard();

  static constexpr int signals[] = {SIGINT, SIGTERM, SIGHUP};  ///< that stop a run

 private:
  struct sigaction old_[std::size(signals)] = {};
};

/// Until a guard lives, and after it, the signals that stop a run end the program with
/// exit_interrupted, and say so. To be called once; a signal that was ignored stays ignored.
void exit_on_signals();

/// While it lives, the second signal does not end the process, but sets the flag that
/// interrupted_again() reads: for who has more to put in order than can be done in a handler.
class SecondSignalHeld {
 public:
  SecondSignalHeld();
  SecondSignalHeld(const SecondSignalHeld&) = delete;
  SecondSignalHeld& operator=(const SecondSignalHeld&) = delete;
  ~SecondSignalHeld();
};

/// Whether a second signal was held.
bool interrupted_again();

/// Whether a signal has arrived while a guard lives.
bool interrupted();

/// Work that was given up because of a signal.
struct Interrupted : std::exception {
  const char* what() const noexcept override { return "interrupted"; }
};

/// Throws Interrupted after a signal. To be called at least every 100 ms by work that can take
/// long.
void stop_if_interrupted();

}  // namespace trilane
