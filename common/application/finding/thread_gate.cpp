#include "common/application/finding/thread_gate.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <ctime>

#include "common/application/iteration/observed_call.hpp"

namespace trilane {

void ThreadGate::close(std::uint64_t except, double until_us) {
  except_ = except;
  until_us_ = until_us;
  closed_us_ = recorder_now_us();
  forced_ = false;
  closed_ = 1;
}

void ThreadGate::open() {
  closed_ = 0;
  syscall(SYS_futex, &closed_, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
}

void ThreadGate::pass(std::uint64_t thread) {
  if (!is_closed() || thread == except_) return;
  const int error = errno;
  arrived_us_ = recorder_now_us();
  ++waiting_;
  while (is_closed() && thread != except_) {
    if (recorder_now_us() > until_us_) {
      forced_ = true;
      open();
    } else {
      sleep();
    }
  }
  --waiting_;
  errno = error;
}

void ThreadGate::await_quiet() const {
  const double until_us = recorder_now_us() + 1e6;
  for (double now_us = 0; is_closed() && !is_quiet(now_us) && now_us < until_us;) {
    sleep();
    now_us = recorder_now_us();
  }
}

/// Returns when the gate opens, or a little later.
void ThreadGate::sleep() const {
  constexpr timespec longest{.tv_sec = 0, .tv_nsec = 20'000'000};
  syscall(SYS_futex, &closed_, FUTEX_WAIT_PRIVATE, 1, &longest, nullptr, 0);
}

}  // namespace trilane
