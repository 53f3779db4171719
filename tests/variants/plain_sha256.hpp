// SHA-256 as in FIPS 180-4, for answers to compare with.
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace trilane {

/// Returns the hash of a message of at most 119 bytes: one or two blocks.
std::array<std::byte, 32> plain_sha256(std::span<const std::byte> message);

}  // namespace trilane
