// Headers of the standard library for NVRTC, which has none.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace trilane::nvrtc {

struct Header {
  std::string name, text;
};

/// Returns <cstdint>, <cstddef> and similar headers, as far as kernels can use them: from CUDA's
/// own library if its headers are in `cuda_headers`, otherwise only the types.
std::vector<Header> standard_headers(const std::filesystem::path& cuda_headers);

}  // namespace trilane::nvrtc
