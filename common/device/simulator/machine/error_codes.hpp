// The runtime's error codes: names, texts and stickiness.
#pragma once

#include <driver_types.h>

#include <optional>
#include <span>
#include <string>

namespace trilane::simulator {

struct ErrorCode {
  cudaError_t code;
  const char* name;
  const char* text;
  bool sticky;  ///< see is_sticky()
};

/// All of them; generated from error_texts.txt.
extern const std::span<const ErrorCode> error_codes;

/// Returns the name of a code in driver_types.h and its text in CUDA 13.0; null if there is no such
/// code.
const ErrorCode* find_error(cudaError_t code);

/// Returns the code with that name ("cudaErrorMemoryAllocation") or number ("2"), if there is one.
std::optional<cudaError_t> parse_error(const std::string& text);

/// Returns true if a code "leaves the process in an inconsistent state": every later call returns
/// it.
bool is_sticky(cudaError_t code);

}  // namespace trilane::simulator
