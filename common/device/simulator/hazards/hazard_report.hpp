// Hazards that the simulated device reports.
#pragma once

#include <string>

#include "common/device/simulator/memory/memory.hpp"
#include "common/device/simulator/operations/device_operation.hpp"

namespace trilane::simulator {

enum class Hazard {
  unordered,           ///< two operations on the same bytes, one of them a write, without an order
  uninitialised_read,  ///< a read of bytes that nothing has written
  use_before_allocation,  ///< a use that is not ordered after the allocation
  use_after_free,         ///< a use after the release
  free_before_last_use,   ///< a release that is not ordered after all uses
  double_free,            ///< a release of what is not allocated
  host_touched,           ///< the host changed bytes while an operation used them
  outside,                ///< a use of bytes outside all allocations
  never_finishes,         ///< a wait that cannot end
  api_in_host_function,   ///< a host function called the runtime
};

/// "unordered", "use after free", ...
std::string name_of(Hazard hazard);

/// "0x7f0000001000-0x7f0000002000 (4096 bytes of device memory)".
std::string describe(const Range& range, Place place);

struct Report {
  Hazard hazard;
  std::string text;  ///< one line: both operations with their lanes, and the range
};

}  // namespace trilane::simulator
