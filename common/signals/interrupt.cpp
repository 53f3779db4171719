#include "common/signals/interrupt.hpp"

#include <unistd.h>

#include <atomic>
#include <cerrno>

#include "common/text/exit_code.hpp"

namespace trilane {
namespace {

std::atomic<bool> signalled = false, again = false, held = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may not wait for a lock");

void on_signal(int) {
  if (signalled.exchange(true)) {
    if (!held) _exit(exit_interrupted);
    again = true;
    return;
  }
  static constexpr char text[] =
      "\nstopping; what is finished is kept, and a second signal ends at once\n";
  const int error = errno;
  [[maybe_unused]] const auto written = write(STDERR_FILENO, text, sizeof text - 1);
  errno = error;
}

void exit_at_once(int) {
  static constexpr char text[] = "\nstopped\n";
  [[maybe_unused]] const auto written = write(STDERR_FILENO, text, sizeof text - 1);
  _exit(exit_interrupted);
}

void install(int signal, void (*handler)(int), struct sigaction& old) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;  // without it, writing a file could fail with EINTR
  sigaction(signal, nullptr, &old);
  if (old.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);
}

}  // namespace

void exit_on_signals() {
  for (const int signal : InterruptGuard::signals) {
    struct sigaction old = {};
    install(signal, exit_at_once, old);
  }
}

SecondSignalHeld::SecondSignalHeld() {
  again = false;
  held = true;
}

SecondSignalHeld::~SecondSignalHeld() { held = false; }

bool interrupted_again() { return again; }

InterruptGuard::InterruptGuard() {
  signalled = false;
  for (std::size_t i = 0; i < std::size(signals); ++i) install(signals[i], on_signal, old_[i]);
}

InterruptGuard::~InterruptGuard() {
  for (std::size_t i = 0; i < std::size(signals); ++i) sigaction(signals[i], &old_[i], nullptr);
  signalled = false;
}

bool interrupted() { return signalled; }

void stop_if_interrupted() {
  if (interrupted()) throw Interrupted();
}

}  // namespace trilane
