#include "common/base/console/interrupt.hpp"

#include <unistd.h>

#include "common/base/text/exit_code.hpp"

namespace trilane {
namespace {

std::atomic<bool> signalled = false, ending = false;
std::atomic<int> holds = 0;
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free,
              "a signal handler may not wait for a lock");

/// Ends the hold. Each side writes its own flag and then reads the other's, so at least one of them
/// sees both, on whatever thread the handler runs.
void end() {
  ending = true;
  if (holds == 0) _exit(exit_interrupted);
}

void on_signal(int) {
  if (signalled.exchange(true)) return end();
  static constexpr char text[] =
      "\nstopping; finished results are kept, and a second signal stops at once\n";
  const int error = errno;
  [[maybe_unused]] const auto written = write(STDERR_FILENO, text, sizeof text - 1);
  errno = error;
}

void exit_at_once(int) {
  static constexpr char text[] = "\nstopped\n";
  [[maybe_unused]] const auto written = write(STDERR_FILENO, text, sizeof text - 1);
  end();
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

EndHeld::EndHeld() {
  if (holds++ == 0 && ending) _exit(exit_interrupted);
}

EndHeld::~EndHeld() {
  if (--holds == 0 && ending) _exit(exit_interrupted);
}

bool must_end() { return ending; }

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
