// NVRTC, the compiler as a library, for machines without nvcc.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "common/measure/gpu/compile/compiler.hpp"

namespace trilane {

/// Compiles with the first of the libraries that loads. Throws NotPossible if none does.
std::unique_ptr<Compiler> make_nvrtc(const std::vector<std::string>& libraries,
                                     const std::filesystem::path& cuda_headers,
                                     const CompileJob& job, double limit_s = compile_limit_s);

}  // namespace trilane
