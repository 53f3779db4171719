#include "common/signals/interrupt.hpp"

#include <unistd.h>

#include <atomic>
#include <cerrno>

#include "common/text/exit_code.hpp"

namespace trilane {
namespace {

std::atomic<bool> signalled = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may not wait for a lock");

void on_signal(int) {
  if (signalled.exchange(true)) _exit(exit_interrupted);
  static constexpr char text[] =
      "\nstopping; what is finished is kept, and a second signal ends at once\n";
  const int error = errno;
  [[maybe_unused]] const auto written = write(STDERR_FILENO, text, sizeof text - 1);
  errno = error;
}

void install(int signal, struct sigaction& old) {
  struct sigaction action = {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;  // without it, writing a file could fail with EINTR
  sigaction(signal, nullptr, &old);
  if (old.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  signalled = false;
  for (std::size_t i = 0; i < std::size(signals); ++i) install(signals[i], old_[i]);
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
