#include "common/device/cuda/cupti.hpp"

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "common/text/exit_code.hpp"

namespace trilane {
namespace {

[[noreturn]] void give_up(const std::string& reason) {
  throw NotPossible(fmt::format(
      "tracing is unavailable: {}; CUPTI comes with the CUDA Toolkit: put its folder into "
      "LD_LIBRARY_PATH",
      reason));
}

/// The library's name, for the loader's own search, and the paths where toolkits install it.
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

template <typename Function>
void find(Function& function, void* library, const char* name) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr) give_up(fmt::format("this libcupti has no {}", name));
}

Cupti load() {
  void* library =
      open_library();  // never closed: the driver may call into it until the process ends
  Cupti cupti{};
  find(cupti.activity_disable, library, "cuptiActivityDisable");
  find(cupti.activity_enable, library, "cuptiActivityEnable");
  find(cupti.activity_flush_all, library, "cuptiActivityFlushAll");
  find(cupti.activity_get_next_record, library, "cuptiActivityGetNextRecord");
  find(cupti.activity_get_num_dropped_records, library, "cuptiActivityGetNumDroppedRecords");
  find(cupti.activity_register_callbacks, library, "cuptiActivityRegisterCallbacks");
  find(cupti.enable_callback, library, "cuptiEnableCallback");
  find(cupti.enable_domain, library, "cuptiEnableDomain");
  find(cupti.get_callback_name, library, "cuptiGetCallbackName");
  find(cupti.get_graph_node_id, library, "cuptiGetGraphNodeId");
  find(cupti.get_result_string, library, "cuptiGetResultString");
  find(cupti.get_timestamp, library, "cuptiGetTimestamp");
  find(cupti.subscribe, library, "cuptiSubscribe");
  find(cupti.unsubscribe, library, "cuptiUnsubscribe");
  return cupti;
}

}  // namespace

const Cupti& cupti() {
  static const Cupti loaded = load();
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
