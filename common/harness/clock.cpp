#include "common/harness/clock.hpp"

#include <chrono>

namespace trilane {

double now_us() {
  // Not CLOCK_MONOTONIC_RAW: a system call before Linux 5.3, to be rid of a slew of 0.05% at most.
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double, std::micro>(now).count();
}

}  // namespace trilane
