// Fingerprints of memory contents.
#pragma once

#include <cstdint>

#include "common/device/simulator/operations/device_operation.hpp"

namespace trilane::simulator {

/// A hash of the range's content. It always changes if only 8 bytes at a multiple of 8 from the
/// begin change.
std::uint64_t fingerprint_of(const Range& range);

}  // namespace trilane::simulator
