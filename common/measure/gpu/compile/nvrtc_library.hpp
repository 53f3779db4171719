// The functions of NVRTC, found at run time. The declarations are ours, after NVRTC's
// documentation, because a machine without a toolkit has no nvrtc.h.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace trilane::nvrtc {

using Program = struct _nvrtcProgram*;
inline constexpr int success = 0;

struct Library {
  /// Loads the first of them that is there, and keeps it loaded. Throws NotPossible if none loads,
  /// or if it lacks a function.
  explicit Library(const std::vector<std::string>& names);

  const char* (*error_string)(int) = nullptr;
  int (*version)(int* major, int* minor) = nullptr;
  int (*create_program)(Program*, const char* source, const char* name, int count,
                        const char* const* headers, const char* const* header_names) = nullptr;
  int (*destroy_program)(Program*) = nullptr;
  int (*add_name_expression)(Program, const char*) = nullptr;
  int (*lowered_name)(Program, const char* expression, const char** name) = nullptr;
  int (*compile_program)(Program, int count, const char* const* options) = nullptr;
  int (*log_size)(Program, std::size_t*) = nullptr;
  int (*log)(Program, char*) = nullptr;
  int (*cubin_size)(Program, std::size_t*) = nullptr;
  int (*cubin)(Program, char*) = nullptr;
  /// Since CUDA 13.0; null in older ones.
  int (*set_flow_callback)(Program, int (*cancel)(void* payload, void*), void* payload) = nullptr;
};

}  // namespace trilane::nvrtc
