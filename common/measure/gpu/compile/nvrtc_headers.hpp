// Headers of the standard library for NVRTC, which has none.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace trilane::nvrtc {

struct Header {
  std::string name, text;
};

/// <cstdint>, <cstddef> and the like, as far as kernels can use them: of CUDA's own library where
/// its headers are in `cuda_headers`, otherwise the types alone.
std::vector<Header> standard_headers(const std::filesystem::path& cuda_headers);

}  // namespace trilane::nvrtc
