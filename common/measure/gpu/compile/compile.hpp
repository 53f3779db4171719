// Turns a file with kernels into an image that the driver can load, without a GPU.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "common/measure/gpu/compile/compilers.hpp"
#include "common/measure/gpu/images/image.hpp"
#include "common/measure/gpu/images/image_cache.hpp"

namespace trilane {

/// Returns a .ptx, .cubin or .fatbin file as it is. Compiles a CUDA source for the architecture as
/// C++20, unless the cache holds the result of the same compiler, text and headers. `names` are the
/// kernels that will be used; those with template arguments are instantiated. Throws UsageError
/// with the compiler's own messages if the file or a name is wrong, and NotPossible without a
/// compiler.
Image image_of(const std::filesystem::path& file, const std::vector<std::string>& names,
               Architecture architecture, const Compilers& compilers = installed_compilers(),
               const ImageCache& cache = ImageCache());

}  // namespace trilane
