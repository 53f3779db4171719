#include "common/measure/gpu/compile/nvrtc.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstddef>

#include "common/base/console/interrupt.hpp"
#include "common/base/json/input_file.hpp"
#include "common/base/system/library.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/base/text/quoting.hpp"
#include "common/measure/gpu/compile/nvrtc_headers.hpp"

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
    if (!function.address) throw NotPossible(fmt::format("NVRTC is too old: it has no {}", name));
    return function;
  }
};

/// Called by NVRTC while it compiles. Returns nonzero if it must stop.
int must_stop(void* end, void*) {
  return interrupted() || must_end() || Clock::now() > *static_cast<Clock::time_point*>(end);
}

class Nvrtc : public Compiler {
 public:
  Nvrtc(const std::vector<std::string>& libraries, const fs::path& cuda_headers,
        const CompileJob& job, double limit_s)
      : library_(libraries), cuda_headers_(cuda_headers), job_(job), limit_s_(limit_s) {}
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
                                               std::chrono::duration<double>(limit_s_));
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
    const std::vector<nvrtc::Header> headers = nvrtc::standard_headers(cuda_headers_);
    std::vector<const char*> texts, names;
    for (const nvrtc::Header& header : headers) {
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
    Image made{.kind = ImageKind::cubin, .bytes = {}, .lowered = {}, .templates = {}};
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
    const std::string why = late ? fmt::format("took longer than {:.0f} s and was ended", limit_s_)
                                 : "cannot compile it";
    throw UsageError(fmt::format("{}: NVRTC {}:\n{}", printable(job_.file.string()), why, log));
  }

  void check(int code, const char* function) const {
    if (code == nvrtc_success) return;
    throw NotPossible(fmt::format("{}: {}", function, library_.error_string(code)));
  }

  NvrtcLibrary library_;
  fs::path cuda_headers_;
  CompileJob job_;
  double limit_s_;
  NvrtcProgram program_ = nullptr;
};

}  // namespace

std::unique_ptr<Compiler> make_nvrtc(const std::vector<std::string>& libraries,
                                     const fs::path& cuda_headers, const CompileJob& job,
                                     double limit_s) {
  return std::make_unique<Nvrtc>(libraries, cuda_headers, job, limit_s);
}

}  // namespace trilane
