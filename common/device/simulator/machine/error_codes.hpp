// The runtime's error codes: names, texts and stickiness.
#pragma once

#include <driver_types.h>

#include "common/std.hpp"

namespace trilane::simulator {

struct ErrorCode {
  cudaError_t code;
  const char* name;
  const char* text;
  bool sticky;  ///< see is_sticky()
};

/// All of them; generated from error_texts.txt.
extern const std::span<const ErrorCode> error_codes;

/// Returns a code's name in driver_types.h and its text in CUDA 13.0; null if it is unknown.
inline const ErrorCode* find_error(cudaError_t code) {
  const auto found = std::ranges::find(error_codes, code, &ErrorCode::code);
  return found == error_codes.end() ? nullptr : &*found;
}

/// Returns the code with that name ("cudaErrorMemoryAllocation") or number ("2"), if there is one.
inline std::optional<cudaError_t> parse_error(const std::string& text) {
  for (const ErrorCode& known : error_codes) {
    if (text == known.name || text == std::to_string(known.code)) return known.code;
  }
  return std::nullopt;
}

/// Returns true if a code "leaves the process in an inconsistent state": later calls return it.
inline bool is_sticky(cudaError_t code) {
  const ErrorCode* const known = find_error(code);
  return known != nullptr && known->sticky;
}

}  // namespace trilane::simulator
