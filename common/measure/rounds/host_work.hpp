// The current speed of the host's core.
#pragma once

namespace trilane {

/// Returns the microseconds of now_us() that the host takes for a fixed piece of arithmetic, the
/// shortest of three attempts. All three take about 12 us on a fast core. Returns 0 on the
/// simulated device, whose host has constant speed.
double host_work_us();

}  // namespace trilane
