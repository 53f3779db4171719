#include "common/device/simulator/machine/error_codes.hpp"

#include <algorithm>

namespace trilane::simulator {

const ErrorCode* find_error(cudaError_t code) {
  const auto found = std::ranges::find(error_codes, code, &ErrorCode::code);
  return found == error_codes.end() ? nullptr : &*found;
}

std::optional<cudaError_t> parse_error(const std::string& text) {
  for (const ErrorCode& known : error_codes) {
    if (text == known.name || text == std::to_string(known.code)) return known.code;
  }
  return std::nullopt;
}

bool is_sticky(cudaError_t code) {
  const ErrorCode* const known = find_error(code);
  return known != nullptr && known->sticky;
}

}  // namespace trilane::simulator
