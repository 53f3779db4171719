#include "common/loop/bench/device_clock.hpp"

#include <algorithm>
#include <cmath>

#include "common/device/flavour.hpp"

namespace trilane {
namespace {

/// Enough for a narrow bracket among them; together they take the host less than a millisecond.
constexpr int readings = 20;
/// In this time an event that was recorded reaches the device and stands behind the gate.
constexpr double arrival_us = 20;

void wait_for(const Event& event) {
  cudaError_t status = cudaErrorNotReady;
  while ((status = cudaEventQuery(event.get())) == cudaErrorNotReady) {
  }
  check(status);
}

}  // namespace

DeviceClock::DeviceClock(Held held) {
  switch (held) {
    case Held::by_nothing: break;
    case Held::by_gate: gate_ = std::make_unique<HostGate>(); break;
  }
  check(cudaEventRecord(base_.get(), stream_.get()));
  check(cudaStreamSynchronize(stream_.get()));
  first_ = last_ = read();
}

DeviceClock::Reading DeviceClock::read() const {
  const Event event = make_timing_event();
  Reading reading;
  for (int i = 0; i < readings; ++i) {
    double before = now_us();
    if (gate_) gate_->close(stream_.get());
    check(cudaEventRecord(event.get(), stream_.get()));
    if (gate_ && gate_->works()) {
      spend_us(arrival_us);
      before = now_us();
      gate_->open();
    }
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
