// The compilers of CUDA code on this machine.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace trilane {

/// The compute capability of a device: 9.0 is {9, 0}.
struct Architecture {
  int major = 0, minor = 0;
  /// Returns "sm_90".
  std::string name() const;
};

/// The available compilers. nvcc is preferred to NVRTC, because users compile with it.
struct Compilers {
  std::filesystem::path nvcc;          ///< empty: not installed
  std::vector<std::string> nvrtc;      ///< names of the library for dlopen, the first that loads
  std::filesystem::path cuda_headers;  ///< for NVRTC; empty: not installed
};

/// Finds nvcc on the PATH, else in $CUDA_HOME/bin or /usr/local/cuda/bin; and NVRTC by the dynamic
/// linker, else beside those. nvcc passes parts of its own path to a shell, so an nvcc whose path
/// has shell metacharacters is skipped.
Compilers installed_compilers();

/// Returns true if a shell takes the path literally: letters, digits, / . _ + -.
bool is_plain_path(const std::filesystem::path& path);

}  // namespace trilane
