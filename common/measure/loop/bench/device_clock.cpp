#include "common/measure/loop/bench/device_clock.hpp"

#include "common/device/flavour/flavour.hpp"

namespace trilane {
namespace {

/// Enough for one of them to be narrow; together they take the host about 0.2 ms.
constexpr int readings = 20;

}  // namespace

void ClockOffset::add(double before_us, double device_us, double after_us) {
  low_ = std::max(low_, before_us - device_us);
  high_ = std::min(high_, after_us - device_us);
}

double offset_at(double device_us, double first_at_us, double first_us, double last_at_us,
                 double last_us) {
  if (!(last_at_us > first_at_us)) return first_us;
  return first_us + (last_us - first_us) * (device_us - first_at_us) / (last_at_us - first_at_us);
}

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
    poll_event(event, [] {});
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
