// A checksum that detects damage.
#pragma once

#include <boost/crc.hpp>
#include <cstdint>
#include <string_view>

namespace trilane {

/// Returns CRC-64 as in ECMA-182, reflected (CRC-64/XZ). It is the same on every machine and in
/// every release.
inline std::uint64_t checksum_of(std::string_view bytes) {
  boost::crc_optimal<64, 0x42F0E1EBA9EA3693, UINT64_MAX, UINT64_MAX, true, true> crc;
  crc.process_bytes(bytes.data(), bytes.size());
  return crc.checksum();
}

}  // namespace trilane
