// A number that stands for the content of memory.
#pragma once

#include <cstdint>

#include "common/device/simulator/operations/device_operation.hpp"

namespace trilane::simulator {

/// Another number for every other content of the range, in all likelihood; always when only 8 bytes
/// at a multiple of 8 from its begin differ.
std::uint64_t fingerprint_of(const Range& range);

}  // namespace trilane::simulator
