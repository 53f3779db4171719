// The compilers of CUDA code on this machine.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace trilane {

/// The compute capability of a device: 9.0 is {9, 0}.
struct Architecture {
  int major = 0, minor = 0;
  /// "sm_90".
  std::string name() const;
};

/// What compiles kernels. nvcc goes before NVRTC, because it compiles what users compile with it.
struct Compilers {
  std::filesystem::path nvcc;          ///< empty: not there
  std::vector<std::string> nvrtc;      ///< names of the library for dlopen, the first that loads
  std::filesystem::path cuda_headers;  ///< for NVRTC; empty: not there
};

/// nvcc on the PATH, else in $CUDA_HOME/bin or /usr/local/cuda/bin; NVRTC where the dynamic linker
/// finds it, else beside those. nvcc gives parts of its own path to a shell, so that one in a
/// folder with a character that a shell would interpret is passed over.
Compilers installed_compilers();

/// Whether a shell takes every character of the path as it is: letters, digits, / . _ + -.
bool is_plain_path(const std::filesystem::path& path);

}  // namespace trilane
