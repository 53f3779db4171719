#include "tests/variants/call_counter.hpp"

#include <cupti.h>
#include <dlfcn.h>

#include <mutex>

namespace trilane {

namespace {

class Cupti {
 public:
  Cupti() : library_(dlopen("libcupti.so.13", RTLD_NOW)) {
    if (library_ == nullptr) library_ = dlopen("/usr/local/cuda/lib64/libcupti.so.13", RTLD_NOW);
    if (library_ == nullptr) return;
    load(subscribe, "cuptiSubscribe");
    load(unsubscribe, "cuptiUnsubscribe");
    load(enable_domain, "cuptiEnableDomain");
  }

  bool usable() const { return subscribe && unsubscribe && enable_domain; }

  decltype(&cuptiSubscribe) subscribe = nullptr;
  decltype(&cuptiUnsubscribe) unsubscribe = nullptr;
  decltype(&cuptiEnableDomain) enable_domain = nullptr;

 private:
  template <typename Function>
  void load(Function& function, const char* name) {
    function = reinterpret_cast<Function>(dlsym(library_, name));
  }

  void* library_;
};

const Cupti& cupti() {
  static const Cupti loaded;
  return loaded;
}

struct Calls {
  std::mutex mutex;
  std::map<std::string, std::uint64_t> by_name;
};

void CUPTIAPI on_call(void* calls, CUpti_CallbackDomain, CUpti_CallbackId, const void* data) {
  const auto& call = *static_cast<const CUpti_CallbackData*>(data);
  if (call.callbackSite != CUPTI_API_ENTER) return;
  auto& counted = *static_cast<Calls*>(calls);
  const std::lock_guard lock(counted.mutex);
  ++counted.by_name[call.functionName];
}

void require(CUptiResult result, const char* what) {
  if (result == CUPTI_SUCCESS) return;
  throw std::runtime_error(std::string(what) + " failed with " + std::to_string(result));
}

}  // namespace

bool can_count_calls() { return cupti().usable(); }

std::map<std::string, std::uint64_t> count_calls(const std::function<void()>& body) {
  Calls calls;
  CUpti_SubscriberHandle subscriber{};
  require(cupti().subscribe(&subscriber, on_call, &calls), "cuptiSubscribe");
  // Unsubscribed before `calls` is destroyed, whatever `body` throws.
  const auto unsubscribe = [](CUpti_SubscriberHandle handle) { cupti().unsubscribe(handle); };
  const std::unique_ptr<CUpti_Subscriber_st, decltype(unsubscribe)> subscription(subscriber);
  require(cupti().enable_domain(1, subscriber, CUPTI_CB_DOMAIN_RUNTIME_API), "cuptiEnableDomain");
  body();
  return calls.by_name;
}

}  // namespace trilane
