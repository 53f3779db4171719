// Ctrl-C: the first stops the run at its next safe point, the second at once.
#pragma once

#include <csignal>

#include "common/std.hpp"

namespace trilane {

/// While a guard lives, the first SIGINT, SIGTERM or SIGHUP sets the flag that interrupted() reads,
/// and prints on standard error that the program is stopping. The second ends the process at once
/// with exit_interrupted. A signal that was ignored (nohup) stays ignored. Only one guard may live;
/// its destructor restores the earlier handlers.
class InterruptGuard : boost::noncopyable {
 public:
  InterruptGuard();
  ~InterruptGuard();

  static constexpr int signals[] = {SIGINT, SIGTERM, SIGHUP};  ///< they stop a run

 private:
  struct sigaction old_[std::size(signals)] = {};
};

/// Makes the signals that stop a run end the program with exit_interrupted and a message while no
/// guard lives. Call it once; a signal that was ignored stays ignored.
void exit_on_signals();

/// While one lives, a signal that would end the process at once only sets the flag that must_end()
/// reads. The destructor of the last one then ends the process with exit_interrupted. For owners of
/// resources that a handler cannot clean up: they live briefly or poll must_end().
class EndHeld : boost::noncopyable {
 public:
  EndHeld();
  ~EndHeld();
};

/// Returns true if the end of the process is being held.
bool must_end();

/// Returns true if a signal has arrived while a guard lives.
bool interrupted();

/// Work that was abandoned because of a signal.
struct Interrupted : std::exception {
  const char* what() const noexcept override { return "interrupted"; }
};

/// Throws Interrupted after a signal. Long work must call it at least every 100 ms.
void stop_if_interrupted();

}  // namespace trilane
