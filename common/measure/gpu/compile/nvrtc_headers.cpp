#include "common/measure/gpu/compile/nvrtc_headers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace trilane::nvrtc {
namespace {

namespace fs = std::filesystem;

constexpr const char* once = "#pragma once\n";  // enough if NVRTC declares the contents itself

/// Returns namespace std with these names of the global namespace, and with `more`.
std::string in_std(std::initializer_list<const char*> names, std::string_view more = "") {
  std::string text = "namespace std {\n";
  for (const char* name : names) text += fmt::format("using ::{};\n", name);
  return text + fmt::format("{}}}  // namespace std\n", more);
}

std::string types() {
  return once + std::string(R"(using int8_t = signed char;
using uint8_t = unsigned char;
using int16_t = short;
using uint16_t = unsigned short;
using int32_t = int;
using uint32_t = unsigned int;
using int64_t = long;
using uint64_t = unsigned long;
using intptr_t = long;
using uintptr_t = unsigned long;
using size_t = decltype(sizeof 0);
using ptrdiff_t = long;
)") +
         in_std({"int8_t", "uint8_t", "int16_t", "uint16_t", "int32_t", "uint32_t", "int64_t",
                 "uint64_t", "intptr_t", "uintptr_t", "size_t", "ptrdiff_t"},
                "using nullptr_t = decltype(nullptr);\n") +
         R"(#define INT32_MAX 2147483647
#define UINT32_MAX 4294967295u
#define INT64_MAX 9223372036854775807
#define UINT64_MAX 18446744073709551615ull
#define SIZE_MAX UINT64_MAX
)";
}

/// NVRTC has the functions, but not in namespace std.
std::string mathematics() {
  return once + in_std({"abs",   "acos", "asin",  "atan", "atan2", "cbrt",  "ceil", "cos",
                        "cosh",  "erf",  "exp",   "exp2", "fabs",  "floor", "fma",  "fmax",
                        "fmin",  "fmod", "hypot", "log",  "log10", "log1p", "log2", "pow",
                        "round", "sin",  "sinh",  "sqrt", "tan",   "tanh",  "trunc"});
}

constexpr const char* limits = R"(#pragma once
#define CHAR_BIT 8
#define INT_MAX 2147483647
#define INT_MIN (-INT_MAX - 1)
#define UINT_MAX 4294967295u
#define FLT_MAX 3.402823466e+38f
#define FLT_MIN 1.175494351e-38f
#define FLT_EPSILON 1.192092896e-07f
#define DBL_MAX 1.7976931348623157e+308
#define DBL_MIN 2.2250738585072014e-308
#define DBL_EPSILON 2.2204460492503131e-16
)";

/// Headers that the file of that name in CUDA's library (cuda/std/) replaces; "math.h" by "cmath".
/// Its cfloat and climits have no macros here.
constexpr const char* substitutes[] = {
    "array",      "atomic",  "bit",         "cmath",      "complex",  "concepts",
    "cstddef",    "cstdint", "cstring",     "functional", "iterator", "limits",
    "math.h",     "numbers", "numeric",     "optional",   "span",     "stddef.h",
    "stdint.h",   "tuple",   "type_traits", "utility",    "variant",  "initializer_list",
    "string_view"};

/// Files include these needlessly: NVRTC has what kernels use of them.
constexpr const char* cuda_headers_known[] = {"cuda_runtime.h", "device_launch_parameters.h",
                                              "cuda_runtime_api.h"};

}  // namespace

std::vector<Header> standard_headers(const fs::path& cuda_headers) {
  std::vector<Header> headers;
  const auto add = [&](const std::string& name, const std::string& text) {
    const bool there = std::ranges::count(headers, name, &Header::name) > 0;
    if (!there) headers.push_back({name, text});
  };
  std::error_code none;
  const fs::path library = cuda_headers / "cccl" / "cuda" / "std";
  for (const std::string name : substitutes) {
    const bool of_c = name.ends_with(".h");
    const std::string file = of_c ? "c" + name.substr(0, name.size() - 2) : name;
    if (cuda_headers.empty() || !fs::exists(library / file, none)) continue;
    add(name, fmt::format("#pragma once\n#include <cuda/std/{}>\n"
                          "namespace std {{ using namespace cuda::std; }}\n",
                          file));
  }
  add("algorithm", once + in_std({"max", "min"}));
  for (const char* name : {"cstdint", "stdint.h", "cstddef", "stddef.h"}) add(name, types());
  for (const char* name : {"cmath", "math.h"}) add(name, mathematics());
  for (const char* name : {"cstdio", "stdio.h", "cassert", "assert.h"}) add(name, once);
  for (const char* name : {"climits", "limits.h", "cfloat", "float.h"}) add(name, limits);
  if (cuda_headers.empty()) {
    for (const char* name : cuda_headers_known) add(name, once);
  }
  return headers;
}

}  // namespace trilane::nvrtc
