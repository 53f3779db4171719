// The recorder's clock.
#pragma once

#include <chrono>

namespace trilane {

/// Returns microseconds on a monotonic clock. Costs some 20 ns.
inline double recorder_now_us() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double, std::micro>(now).count();
}

}  // namespace trilane
