// Fingerprints of memory contents.
#pragma once

#include <cstdint>

#include "common/device/simulator/operations/device_operation.hpp"

namespace trilane::simulator {

/// Returns a hash of the content, which always changes if one aligned 8-byte word of the range
/// changes.
std::uint64_t fingerprint_of(const Range& range);

/// Returns a hash of all rows of an access.
std::uint64_t fingerprint_of(const Access& access);

}  // namespace trilane::simulator
