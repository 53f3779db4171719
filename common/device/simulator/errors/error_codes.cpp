#include "common/device/simulator/errors/error_codes.hpp"

#include <algorithm>
#include <charconv>

namespace trilane::simulator {

const ErrorCode* find_error(cudaError_t code) {
  const auto found = std::ranges::find(error_codes, code, &ErrorCode::code);
  return found == error_codes.end() ? nullptr : &*found;
}

std::optional<cudaError_t> parse_error(const std::string& text) {
  const char* const end = text.data() + text.size();
  int number = 0;
  const auto [stop, failure] = std::from_chars(text.data(), end, number);
  const bool is_number = failure == std::errc{} && stop == end;
  for (const ErrorCode& code : error_codes) {
    if (is_number ? code.code == number : text == code.name) return code.code;
  }
  return std::nullopt;
}

bool is_sticky(cudaError_t code) {
  const ErrorCode* const known = find_error(code);
  return known != nullptr && known->sticky;
}

}  // namespace trilane::simulator
