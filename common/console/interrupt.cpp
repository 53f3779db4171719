#include "common/console/interrupt.hpp"

#include <unistd.h>

#include <atomic>

#include "common/text/exit_code.hpp"

namespace trilane {
namespace {

std::atomic<bool> signalled = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may not wait for a lock");

void on_signal(int) {
  if (signalled.exchange(true)) _exit(exit_interrupted);
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
  install(SIGINT, old_int_);
  install(SIGTERM, old_term_);
}

InterruptGuard::~InterruptGuard() {
  sigaction(SIGINT, &old_int_, nullptr);
  sigaction(SIGTERM, &old_term_, nullptr);
}

bool interrupted() { return signalled; }

}  // namespace trilane
