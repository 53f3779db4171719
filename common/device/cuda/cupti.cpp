#include "common/device/cuda/cupti.hpp"

#include <cuda_runtime_api.h>
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

/// Throws NotPossible if it does not load, so that the next call tries again.
Library opened() {
  Library library(places());
  if (!library) give_up(library.reason());
  return library;
}

}  // namespace

FoundFunction cupti_function(const char* name) {
  // Never unloaded: the driver may call into it until the process ends.
  static const Library library = opened();
  const FoundFunction function = library.function(name);
  if (function.address == nullptr) give_up(fmt::format("this libcupti has no {}", name));
  return function;
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
