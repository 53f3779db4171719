// How fast the host's core is at the moment.
#pragma once

namespace trilane {

/// Microseconds of now_us() that the host takes for a fixed piece of arithmetic, the shortest of
/// three attempts: about 12 in all on a fast core. 0 on the simulated device, whose host is always
/// as fast.
double host_work_us();

}  // namespace trilane
