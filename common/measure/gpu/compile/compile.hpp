// Finds the compilers of CUDA code on this machine, and turns a file with kernels into an image
// that the driver can load, without a GPU.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "common/measure/gpu/images/image.hpp"
#include "common/measure/gpu/images/image_cache.hpp"

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

/// Returns a .ptx, .cubin or .fatbin file as it is. Compiles a CUDA source for the architecture as
/// C++20, unless the cache holds the result of the same compiler, text and headers. `names` are the
/// kernels that will be used; those with template arguments are instantiated. Throws UsageError
/// with the compiler's own messages if the file or a name is wrong, and NotPossible without a
/// compiler.
Image image_of(const std::filesystem::path& file, const std::vector<std::string>& names,
               Architecture architecture, const Compilers& compilers = installed_compilers(),
               const ImageCache& cache = ImageCache());

}  // namespace trilane
