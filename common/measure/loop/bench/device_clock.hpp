// Converts device times to host times.
#pragma once

#include "common/measure/gpu/runtime/gated_timer.hpp"
#include "common/measure/loop/bench/clock_offset.hpp"

namespace trilane {

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
