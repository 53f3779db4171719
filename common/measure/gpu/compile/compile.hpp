// From a file with kernels to an image that the driver can load, without a GPU.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "common/measure/gpu/compile/compilers.hpp"
#include "common/measure/gpu/images/image.hpp"
#include "common/measure/gpu/images/image_cache.hpp"

namespace trilane {

/// A .ptx, .cubin or .fatbin file as it is; otherwise a CUDA source, compiled for the architecture
/// as C++20, or taken from the cache where the same compiler has compiled the same text with the
/// same headers. `names` are the kernels that will be used: those with template arguments are
/// instantiated. Throws UsageError if the file or a name is wrong, with the compiler's messages as
/// they are, and NotPossible without a compiler.
Image image_of(const std::filesystem::path& file, const std::vector<std::string>& names,
               Architecture architecture, const Compilers& compilers = installed_compilers(),
               const ImageCache& cache = ImageCache());

}  // namespace trilane
