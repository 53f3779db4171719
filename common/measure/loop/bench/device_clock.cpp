#include "common/measure/loop/bench/device_clock.hpp"

#include <algorithm>
#include <cmath>

#include "common/device/flavour/flavour.hpp"

namespace trilane {
namespace {

/// Enough for one of them to be narrow; together they take the host about 0.2 ms.
constexpr int readings = 20;

void wait_for(const Event& event) {
  cudaError_t status = cudaErrorNotReady;
  while ((status = cudaEventQuery(event.get())) == cudaErrorNotReady) {
  }
  check(status);
}

}  // namespace

DeviceClock::DeviceClock() {
  check(cudaEventRecord(base_.get(), stream_.get()));
  check(cudaStreamSynchronize(stream_.get()));
  first_ = last_ = read();
}

DeviceClock::Reading DeviceClock::read() const {
  const Event event = make_timing_event();
  Reading reading;
  for (int i = 0; i < readings; ++i) {
    const double before = now_us();
    check(cudaEventRecord(event.get(), stream_.get()));
    wait_for(event);
    const double after = now_us();
    reading.at_us = device_us(event);
    reading.offset.add(before, reading.at_us, after);
  }
  return reading;
}

double DeviceClock::error_us() const {
  return std::max(std::abs(first_.offset.error_us()), std::abs(last_.offset.error_us()));
}

}  // namespace trilane
