// The runtime's error codes: names, texts, and which of them stay.
#pragma once

#include <driver_types.h>

#include <optional>
#include <string>

namespace trilane::simulator {

struct ErrorCode {
  cudaError_t code;
  const char* name;
  const char* text;
  bool sticky;  ///< see is_sticky()
};

/// What the runtime knows of a code; null when there is no such code. Names are driver_types.h's,
/// texts those that CUDA 13.0 gives.
const ErrorCode* find_error(cudaError_t code);

/// The code of that name ("cudaErrorMemoryAllocation") or number ("2"), if there is one.
std::optional<cudaError_t> parse_error(const std::string& text);

/// Whether a code leaves "the process in an inconsistent state": every later call returns it.
bool is_sticky(cudaError_t code);

}  // namespace trilane::simulator
