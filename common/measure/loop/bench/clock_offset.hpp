// The offset between the device's clock and the host's, from host readings on both sides of a
// device reading.
#pragma once

#include <limits>

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

}  // namespace trilane
