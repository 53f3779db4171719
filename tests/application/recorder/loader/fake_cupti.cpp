// Stands in for CUPTI's library on machines without a driver: keeps the subscriber and the calls it
// listens to, and lets a program simulate the application's calls. Takes no records of operations.
//
// After finalizing, any other call ends the program: the real one would come back. A file
// "finalized" then names the function in which that happened, how many times cudaStreamSynchronize
// was listened to, and how many functions of the runtime still are. A runtime function that was
// under way when its callback was disabled calls the real CUPTI for good, and then crashes: here
// finalizing ends the program.
#include <cupti.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <utility>

namespace {

CUpti_CallbackFunc subscriber = nullptr;
void* user = nullptr;
std::set<std::pair<CUpti_CallbackDomain, CUpti_CallbackId>> enabled;
bool finalized = false;
CUpti_CallbackId within = 0;  ///< the latest function that called back
std::multiset<CUpti_CallbackId> runtime_under_way;
std::set<CUpti_CallbackId> stuck;
bool loses_subscriber = false;  ///< when another one comes
int synchronize_enabled = 0;    ///< number of times

CUptiResult is_there() {
  if (!finalized) return CUPTI_SUCCESS;
  std::fputs("CUPTI is called after it was finalized\n", stderr);
  std::abort();
}

void call_back(CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* parameters,
               bool returns, CUresult result) {
  CUpti_CallbackData data{};
  data.callbackSite = returns ? CUPTI_API_EXIT : CUPTI_API_ENTER;
  data.functionReturnValue = &result;
  data.functionParams = parameters;
  within = id;
  subscriber(user, domain, id, &data);
}

}  // namespace

extern "C" {

CUptiResult cuptiSubscribe(CUpti_SubscriberHandle* handle, CUpti_CallbackFunc callback,
                           void* data) {
  is_there();
  if (subscriber != nullptr && std::exchange(loses_subscriber, false)) {
    subscriber = nullptr;
    enabled.clear();
  }
  if (subscriber != nullptr) return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
  *handle = reinterpret_cast<CUpti_SubscriberHandle>(&subscriber);
  subscriber = callback;
  user = data;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiUnsubscribe(CUpti_SubscriberHandle) {
  is_there();
  subscriber = nullptr;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiEnableCallback(std::uint32_t on, CUpti_SubscriberHandle,
                                CUpti_CallbackDomain domain, CUpti_CallbackId id) {
  is_there();
  if (on != 0) {
    const bool added = enabled.emplace(domain, id).second;
    synchronize_enabled += added && domain == CUPTI_CB_DOMAIN_RUNTIME_API &&
                           id == CUPTI_RUNTIME_TRACE_CBID_cudaStreamSynchronize_v3020;
  } else if (enabled.erase({domain, id}) > 0 && domain == CUPTI_CB_DOMAIN_RUNTIME_API &&
             runtime_under_way.contains(id)) {
    stuck.insert(id);
    if (std::FILE* const file = std::fopen("stuck", "w")) std::fclose(file);
  }
  return CUPTI_SUCCESS;
}

CUptiResult cuptiEnableDomain(std::uint32_t on, CUpti_SubscriberHandle,
                              CUpti_CallbackDomain domain) {
  for (std::uint32_t id = 1; id < CUPTI_RUNTIME_TRACE_CBID_SIZE; ++id) {
    cuptiEnableCallback(on, nullptr, domain, id);
  }
  return CUPTI_SUCCESS;
}

CUptiResult cuptiGetCallbackName(CUpti_CallbackDomain domain, std::uint32_t id, const char** name) {
  is_there();
  *name = domain == CUPTI_CB_DOMAIN_RUNTIME_API               ? "cudaCall_v7000"
          : id == CUPTI_DRIVER_TRACE_CBID_cuStreamSynchronize ? "cuStreamSynchronize"
                                                              : "cuCall_v2";
  return CUPTI_SUCCESS;
}

CUptiResult cuptiGetTimestamp(std::uint64_t* ns) {
  is_there();
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  *ns = static_cast<std::uint64_t>(std::chrono::nanoseconds(now).count());
  return CUPTI_SUCCESS;
}

CUptiResult cuptiGetResultString(CUptiResult, const char** text) {
  is_there();
  *text = "fake";
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityEnable(CUpti_ActivityKind) { return is_there(); }
CUptiResult cuptiActivityDisable(CUpti_ActivityKind) { return is_there(); }
CUptiResult cuptiFinalize() {
  is_there();
  if (!stuck.empty()) {
    std::fputs("a function of the runtime calls CUPTI after it was finalized\n", stderr);
    std::abort();
  }
  if (std::FILE* const file = std::fopen("finalized", "w")) {
    const char* name = nullptr;
    cuptiGetCallbackName(CUPTI_CB_DOMAIN_DRIVER_API, within, &name);
    const auto left = std::ranges::count(enabled, CUPTI_CB_DOMAIN_RUNTIME_API,
                                         &std::pair<CUpti_CallbackDomain, CUpti_CallbackId>::first);
    std::fprintf(file, "%s %d %d", name, synchronize_enabled, static_cast<int>(left));
    std::fclose(file);
  }
  finalized = true;
  enabled.clear();
  return CUPTI_SUCCESS;
}
CUptiResult cuptiActivityFlushAll(std::uint32_t) { return is_there(); }
CUptiResult cuptiActivityGetNextRecord(std::uint8_t*, std::size_t, CUpti_Activity**) {
  is_there();
  return CUPTI_ERROR_MAX_LIMIT_REACHED;
}
CUptiResult cuptiActivityGetNumDroppedRecords(CUcontext, std::uint32_t, std::size_t*) {
  return is_there();
}
CUptiResult cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc,
                                           CUpti_BuffersCallbackCompleteFunc) {
  return is_there();
}
CUptiResult cuptiGetGraphNodeId(CUgraphNode, std::uint64_t*) { return is_there(); }

/// Simulates the application's entry into a function of the driver, or its return with that result.
void fake_call(CUpti_CallbackId id, const void* parameters, int returns, CUresult result) {
  if (subscriber == nullptr || !enabled.contains({CUPTI_CB_DOMAIN_DRIVER_API, id})) return;
  call_back(CUPTI_CB_DOMAIN_DRIVER_API, id, parameters, returns != 0, result);
}

/// Does the same for the runtime.
void fake_runtime_call(CUpti_CallbackId id, int returns) {
  if (returns == 0) runtime_under_way.insert(id);
  if (subscriber != nullptr && enabled.contains({CUPTI_CB_DOMAIN_RUNTIME_API, id})) {
    call_back(CUPTI_CB_DOMAIN_RUNTIME_API, id, nullptr, returns != 0, CUDA_SUCCESS);
  }
  if (returns != 0) runtime_under_way.erase(runtime_under_way.find(id));
}

/// Simulates that another tool takes CUPTI out of the process right after the next subscription.
void fake_finalize_late() { loses_subscriber = true; }

/// Simulates that the driver has loaded a module, or is about to unload it.
void fake_module(CUpti_CallbackId id, std::uint32_t number, const char* code, std::size_t bytes) {
  if (subscriber == nullptr || !enabled.contains({CUPTI_CB_DOMAIN_RESOURCE, id})) return;
  CUpti_ModuleResourceData module{.moduleId = number, .cubinSize = bytes, .pCubin = code};
  CUpti_ResourceData data{};
  data.resourceDescriptor = &module;
  subscriber(user, CUPTI_CB_DOMAIN_RESOURCE, id, &data);
}

}  // extern "C"
