#include "common/measure/loop/bench/clock_offset.hpp"

#include <algorithm>

namespace trilane {

void ClockOffset::add(double before_us, double device_us, double after_us) {
  low_ = std::max(low_, before_us - device_us);
  high_ = std::min(high_, after_us - device_us);
}

double offset_at(double device_us, double first_at_us, double first_us, double last_at_us,
                 double last_us) {
  if (!(last_at_us > first_at_us)) return first_us;
  return first_us + (last_us - first_us) * (device_us - first_at_us) / (last_at_us - first_at_us);
}

}  // namespace trilane
