#include "common/measure/gpu/compile/nvrtc_headers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace trilane::nvrtc {
namespace {

namespace fs = std::filesystem;

constexpr const char* types = R"(#pragma once
using int8_t = signed char;
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
namespace std {
using ::int8_t;
using ::uint8_t;
using ::int16_t;
using ::uint16_t;
using ::int32_t;
using ::uint32_t;
using ::int64_t;
using ::uint64_t;
using ::intptr_t;
using ::uintptr_t;
using ::size_t;
using ::ptrdiff_t;
using nullptr_t = decltype(nullptr);
}  // namespace std
#define INT32_MAX 2147483647
#define UINT32_MAX 4294967295u
#define INT64_MAX 9223372036854775807
#define UINT64_MAX 18446744073709551615ull
#define SIZE_MAX UINT64_MAX
)";

/// NVRTC already declares their contents: printf and assert.
constexpr const char* known = "#pragma once\n";

/// NVRTC has the functions, but not in namespace std.
constexpr const char* mathematics = R"(#pragma once
namespace std {
using ::abs;
using ::acos;
using ::asin;
using ::atan;
using ::atan2;
using ::cbrt;
using ::ceil;
using ::cos;
using ::cosh;
using ::erf;
using ::exp;
using ::exp2;
using ::fabs;
using ::floor;
using ::fma;
using ::fmax;
using ::fmin;
using ::fmod;
using ::hypot;
using ::log;
using ::log10;
using ::log1p;
using ::log2;
using ::pow;
using ::round;
using ::sin;
using ::sinh;
using ::sqrt;
using ::tan;
using ::tanh;
using ::trunc;
}  // namespace std
)";
constexpr const char* extremes = R"(#pragma once
namespace std {
using ::max;
using ::min;
}  // namespace std
)";

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

struct Plain {
  const char *name, *text;
};
constexpr std::array own_headers{
    Plain{"algorithm", extremes}, Plain{"cstdint", types},  Plain{"stdint.h", types},
    Plain{"cstddef", types},      Plain{"stddef.h", types}, Plain{"cmath", mathematics},
    Plain{"math.h", mathematics}, Plain{"cstdio", known},   Plain{"stdio.h", known},
    Plain{"cassert", known},      Plain{"assert.h", known}, Plain{"climits", limits},
    Plain{"limits.h", limits},    Plain{"cfloat", limits},  Plain{"float.h", limits}};

/// A header and the file of CUDA's library (cuda/std/) that replaces it. Its cfloat and climits
/// have no macros here.
struct Substitute {
  const char *name, *file;
};
constexpr Substitute substitutes[] = {{"array", "array"},
                                      {"atomic", "atomic"},
                                      {"bit", "bit"},
                                      {"cmath", "cmath"},
                                      {"complex", "complex"},
                                      {"concepts", "concepts"},
                                      {"cstddef", "cstddef"},
                                      {"cstdint", "cstdint"},
                                      {"cstring", "cstring"},
                                      {"functional", "functional"},
                                      {"iterator", "iterator"},
                                      {"limits", "limits"},
                                      {"math.h", "cmath"},
                                      {"numbers", "numbers"},
                                      {"numeric", "numeric"},
                                      {"optional", "optional"},
                                      {"span", "span"},
                                      {"stddef.h", "cstddef"},
                                      {"stdint.h", "cstdint"},
                                      {"tuple", "tuple"},
                                      {"type_traits", "type_traits"},
                                      {"utility", "utility"},
                                      {"variant", "variant"},
                                      {"initializer_list", "initializer_list"},
                                      {"string_view", "string_view"}};

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
  for (const auto& [name, file] : substitutes) {
    if (cuda_headers.empty() || !fs::exists(library / file, none)) continue;
    add(name, fmt::format("#pragma once\n#include <cuda/std/{}>\n"
                          "namespace std {{ using namespace cuda::std; }}\n",
                          file));
  }
  for (const Plain& header : own_headers) add(header.name, header.text);
  if (cuda_headers.empty()) {
    for (const char* name : cuda_headers_known) add(name, known);
  }
  return headers;
}

}  // namespace trilane::nvrtc
