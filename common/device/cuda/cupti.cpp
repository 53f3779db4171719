#include "common/device/cuda/cupti.hpp"

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "common/base/text/exit_code.hpp"

namespace trilane {
namespace {

[[noreturn]] void give_up(const std::string& reason) {
  throw NotPossible(fmt::format(
      "tracing is unavailable: {}; CUPTI comes with the CUDA Toolkit: put its folder into "
      "LD_LIBRARY_PATH",
      reason));
}

/// Returns the library's name, for the loader's own search, and the paths where toolkits install
/// it.
std::vector<std::string> places() {
  const std::string name = fmt::format("libcupti.so.{}", CUDART_VERSION / 1000);
  const char* home = std::getenv("CUDA_HOME");
  const std::string toolkit = home == nullptr ? "/usr/local/cuda" : home;
  return {name, toolkit + "/extras/CUPTI/lib64/" + name, toolkit + "/lib64/" + name,
          toolkit + "/lib/" + name};
}

void* open_library() {
  std::string reason;
  for (const std::string& place : places()) {
    if (void* library = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
    if (reason.empty()) reason = dlerror();
  }
  give_up(reason);
}

}  // namespace

CuptiFunction cupti_function(const char* name) {
  // Never closed: the driver may call into it until the process ends.
  static void* const library = open_library();
  void* const address = dlsym(library, name);
  if (address == nullptr) give_up(fmt::format("this libcupti has no {}", name));
  return {address};
}

const Cupti& cupti() {
  static const Cupti loaded;
  return loaded;
}

void check_cupti(CUptiResult code, const char* what) {
  if (code == CUPTI_SUCCESS) return;
  const char* words = nullptr;
  cupti().get_result_string(code, &words);
  throw NotPossible(fmt::format("tracing is unavailable: {}: {} (CUPTI error {})", what,
                                words == nullptr ? "unknown" : words, static_cast<int>(code)));
}

}  // namespace trilane
