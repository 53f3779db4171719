// SHA-256 (FIPS 180-4), so that different contents have different names.
#pragma once

#include <string>
#include <string_view>

namespace trilane {

/// 64 hexadecimal digits.
std::string sha256(std::string_view bytes);

}  // namespace trilane
