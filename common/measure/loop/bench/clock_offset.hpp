// How far the device's clock is from the host's, from brackets of one by the other.
#pragma once

#include <limits>

namespace trilane {

/// Cristian's method: a device time lies between two readings of the host's clock, so their
/// difference has bounds. All times are microseconds.
class ClockOffset {
 public:
  /// The host's clock read `before_us` and `after_us`; between them the device's read `device_us`.
  void add(double before_us, double device_us, double after_us);

  /// What a device time lacks to be a host time, and how far that may be off.
  double us() const { return (low_ + high_) / 2; }
  double error_us() const { return (high_ - low_) / 2; }

 private:
  double low_ = std::numeric_limits<double>::lowest(), high_ = std::numeric_limits<double>::max();
};

/// The offset at `device_us`, on the line through the offsets at two device times: the clocks drift
/// apart by some microseconds a second.
double offset_at(double device_us, double first_at_us, double first_us, double last_at_us,
                 double last_us);

}  // namespace trilane
