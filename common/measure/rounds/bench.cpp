#include "common/measure/rounds/bench.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "common/device/flavour/flavour.hpp"

namespace trilane {

namespace {

/// Runs four chains of additions and multiplications, which keep the core's units busy, so that
/// sharing them with another thread shows.
std::uint64_t work() {
  constexpr int steps = 4000;
  std::uint64_t a = 1, b = 2, c = 3, d = 4;
  for (int i = 0; i < steps; ++i) {
    a = a * 3 + 1;
    b = b * 5 + 1;
    c ^= c << 7;
    d += a ^ b;
    c += d;
    asm volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d));  // no step may be optimised away
  }
  return a + b + c + d;
}

}  // namespace

double host_work_us() {
  constexpr int attempts = 3;  // one may be interrupted
  double shortest = std::numeric_limits<double>::infinity();
  for (int i = 0; i < attempts; ++i) {
    shortest = std::min(shortest, timed_us([] {
                          volatile std::uint64_t result = work();
                          static_cast<void>(result);
                        }));
  }
  return shortest;
}

}  // namespace trilane
