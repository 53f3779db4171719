// The device's clock on the host's scale.
#pragma once

#include "common/measure/gpu/runtime/gated_timer.hpp"

namespace trilane {

/// Cristian's method: a device time lies between two readings of the host's clock, so their
/// difference has bounds. All times are microseconds.
class ClockOffset {
 public:
  /// Adds a device reading `device_us` between the host's readings `before_us` and `after_us`.
  void add(double before_us, double device_us, double after_us);

  /// Return the offset from device time to host time, and its largest error.
  double us() const { return (low_ + high_) / 2; }
  double error_us() const { return (high_ - low_) / 2; }

 private:
  double low_ = std::numeric_limits<double>::lowest(), high_ = std::numeric_limits<double>::max();
};

/// Returns the offset at `device_us`, on the line through the offsets at two device times: the
/// clocks drift apart by some microseconds a second.
double offset_at(double device_us, double first_at_us, double first_us, double last_at_us,
                 double last_us);

/// Reads timing events on a scale of microseconds since its construction, and gives that scale's
/// offset from now_us(). Throws CudaError.
class DeviceClock {
 public:
  /// Reads both clocks; the device must be idle.
  DeviceClock();

  /// Reads both clocks again, after the work whose events will be read; the device must be idle.
  void finish() { last_ = read(); }

  /// Returns the time when the device passed the event, on its own scale.
  double device_us(const Event& event) const { return elapsed_us(base_, event); }
  /// Converts a time on that scale to one of now_us(). Call it after finish().
  double host_us(double device_us) const {
    return device_us +
           offset_at(device_us, first_.at_us, first_.offset.us(), last_.at_us, last_.offset.us());
  }
  /// Returns the largest error of host_us().
  double error_us() const;

 private:
  struct Reading {
    double at_us = 0;  // device time
    ClockOffset offset;
  };
  Reading read() const;

  Stream stream_ = make_stream();
  Event base_ = make_timing_event();
  Reading first_, last_;
};

}  // namespace trilane
