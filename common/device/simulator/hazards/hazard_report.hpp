// What the simulated device finds wrong with a program.
#pragma once

#include <string>

#include "common/device/simulator/memory/memory.hpp"
#include "common/device/simulator/operations/device_operation.hpp"

namespace trilane::simulator {

enum class Hazard {
  unordered,              ///< two operations on the same bytes, one of them writing, in no order
  uninitialised_read,     ///< bytes that nothing before has written
  use_before_allocation,  ///< not ordered after the stream-ordered allocation
  use_after_free,         ///< after, or not ordered before, the release
  free_before_last_use,   ///< a release that something using the bytes is not ordered before
  double_free,            ///< a release of what was released or never allocated
  host_touched,           ///< the host changed bytes while an operation on them was under way
  outside,                ///< bytes that belong to no allocation
  never_finishes,         ///< a wait on something that nothing can ever finish
  api_in_host_function,   ///< a host function called the runtime
};

/// "unordered", "use after free", ...
std::string name_of(Hazard hazard);

/// "0x7f0000001000-0x7f0000002000 (4096 bytes of device memory)".
std::string describe(const Range& range, Place place);

struct Report {
  Hazard hazard;
  std::string text;  ///< one line, without the hazard's name: both operations with their lanes, and
                     ///< the range
};

}  // namespace trilane::simulator
