#include <initializer_list>

#include "common/base/console/interrupt.hpp"
#include "common/base/json/document.hpp"
#include "common/base/system/library.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/base/text/words.hpp"
#include "common/measure/gpu/compile/compile.hpp"

namespace trilane {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

using NvrtcProgram = struct _nvrtcProgram*;
constexpr int nvrtc_success = 0;

/// The functions of NVRTC, found at run time. The declarations are ours, after NVRTC's
/// documentation, because a machine without a toolkit has no nvrtc.h.
struct NvrtcLibrary {
  /// Loads the first of them that is there, and keeps it loaded. Throws NotPossible if none loads,
  /// or if it lacks a function.
  explicit NvrtcLibrary(const std::vector<std::string>& names) : library(names) {}

  Library library;
  const char* (*error_string)(int) = required("nvrtcGetErrorString");
  int (*version)(int* major, int* minor) = required("nvrtcVersion");
  int (*create_program)(NvrtcProgram*, const char* source, const char* name, int count,
                        const char* const* headers,
                        const char* const* header_names) = required("nvrtcCreateProgram");
  int (*destroy_program)(NvrtcProgram*) = required("nvrtcDestroyProgram");
  int (*add_name_expression)(NvrtcProgram, const char*) = required("nvrtcAddNameExpression");
  int (*lowered_name)(NvrtcProgram, const char* expression,
                      const char** name) = required("nvrtcGetLoweredName");
  int (*compile_program)(NvrtcProgram, int count,
                         const char* const* options) = required("nvrtcCompileProgram");
  int (*log_size)(NvrtcProgram, std::size_t*) = required("nvrtcGetProgramLogSize");
  int (*log)(NvrtcProgram, char*) = required("nvrtcGetProgramLog");
  int (*cubin_size)(NvrtcProgram, std::size_t*) = required("nvrtcGetCUBINSize");
  int (*cubin)(NvrtcProgram, char*) = required("nvrtcGetCUBIN");
  /// Since CUDA 13.0; null in older ones.
  int (*set_flow_callback)(NvrtcProgram, int (*cancel)(void* payload, void*),
                           void* payload) = library.function("nvrtcSetFlowCallback");

 private:
  FoundFunction required(const char* name) const {
    if (!library) throw NotPossible("there is no NVRTC");
    const FoundFunction function = library.function(name);
    if (!function.address) throw NotPossible("NVRTC is too old: it has no {}", name);
    return function;
  }
};

/// A header of the standard library, of which NVRTC has none.
struct Header {
  std::string name, text;
};

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

/// Returns <cstdint>, <cstddef> and similar headers, as far as kernels can use them: from CUDA's
/// own library if its headers are in `cuda_headers`, otherwise only the types.
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

/// Called by NVRTC while it compiles. Returns nonzero if it must stop.
int must_stop(void* end, void*) {
  return interrupted() || must_end() || Clock::now() > *static_cast<Clock::time_point*>(end);
}

class Nvrtc : public Compiler {
 public:
  Nvrtc(const std::vector<std::string>& libraries, const fs::path& cuda_headers,
        const CompileJob& job)
      : library_(libraries), cuda_headers_(cuda_headers), job_(job) {}
  ~Nvrtc() override {
    if (program_) library_.destroy_program(&program_);
  }

  std::string version() override {
    int major = 0, minor = 0;
    check(library_.version(&major, &minor), "nvrtcVersion");
    // The headers of a folder can change with the toolkit in it.
    return fmt::format("NVRTC {}.{} {}\n", major, minor, cuda_headers_.string());
  }

  std::vector<fs::path> included_files() override { return {}; }

  Image compile() override {
    create();
    Clock::time_point end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                               std::chrono::duration<double>(compile_limit_s));
    if (library_.set_flow_callback) library_.set_flow_callback(program_, must_stop, &end);
    const std::vector<std::string> options = options_of();
    std::vector<const char*> pointers;
    for (const std::string& option : options) pointers.push_back(option.c_str());
    const int code =
        library_.compile_program(program_, static_cast<int>(pointers.size()), pointers.data());
    stop_if_interrupted();
    if (code != nvrtc_success) refuse(code, Clock::now() > end);
    return result();
  }

 private:
  void create() {
    const std::string source = content_of_input(job_.file), name = job_.file.string();
    const std::vector<Header> headers = standard_headers(cuda_headers_);
    std::vector<const char*> texts, names;
    for (const Header& header : headers) {
      texts.push_back(header.text.c_str());
      names.push_back(header.name.c_str());
    }
    check(library_.create_program(&program_, source.c_str(), name.c_str(),
                                  static_cast<int>(texts.size()), texts.data(), names.data()),
          "nvrtcCreateProgram");
    for (const std::string& expression : job_.templates) {
      check(library_.add_name_expression(program_, expression.c_str()), "nvrtcAddNameExpression");
    }
  }

  std::vector<std::string> options_of() const {
    std::vector<std::string> options{"--gpu-architecture=" + job_.architecture, "--std=c++20",
                                     "--include-path=" + job_.file.parent_path().string()};
    if (cuda_headers_.empty()) return options;
    options.push_back("--include-path=" + cuda_headers_.string());
    options.push_back("--include-path=" + (cuda_headers_ / "cccl").string());
    return options;
  }

  Image result() {
    Image made{.kind = ImageKind::cubin};
    std::size_t size = 0;
    check(library_.cubin_size(program_, &size), "nvrtcGetCUBINSize");
    made.bytes.resize(size);
    check(library_.cubin(program_, made.bytes.data()), "nvrtcGetCUBIN");
    for (const std::string& expression : job_.templates) {
      const char* name = nullptr;
      check(library_.lowered_name(program_, expression.c_str(), &name), "nvrtcGetLoweredName");
      made.lowered.push_back({expression, demangled(name)});
    }
    return made;
  }

  [[noreturn]] void refuse(int code, bool late) {
    std::size_t size = 0;
    std::string log;
    if (library_.log_size(program_, &size) == nvrtc_success && size > 1) {
      log.resize(size);
      library_.log(program_, log.data());
      log.pop_back();  // the final 0
    }
    if (log.empty()) log = library_.error_string(code);
    const std::string why =
        late ? fmt::format("took longer than {:.0f} s and was ended", compile_limit_s)
             : "cannot compile it";
    throw UsageError("{}: NVRTC {}:\n{}", printable(job_.file.string()), why, log);
  }

  void check(int code, const char* function) const {
    if (code == nvrtc_success) return;
    throw NotPossible("{}: {}", function, library_.error_string(code));
  }

  NvrtcLibrary library_;
  fs::path cuda_headers_;
  CompileJob job_;
  NvrtcProgram program_ = nullptr;
};

}  // namespace

std::unique_ptr<Compiler> make_nvrtc(const std::vector<std::string>& libraries,
                                     const fs::path& cuda_headers, const CompileJob& job) {
  return std::make_unique<Nvrtc>(libraries, cuda_headers, job);
}

}  // namespace trilane
