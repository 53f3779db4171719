#include "common/application/recorder/listening/subscription.hpp"

#include <utility>

#include "common/application/recorder/driver/listened_call.hpp"
#include "common/device/cuda/cupti.hpp"

namespace trilane {

CUptiResult Subscription::begin(CUpti_CallbackFunc callback, void* self) {
  return cupti().subscribe(&subscriber_, callback, self);
}

void Subscription::end() {
  if (subscriber_ != nullptr) cupti().unsubscribe(std::exchange(subscriber_, nullptr));
}

void Subscription::detach() {
  if (subscriber_ == nullptr) return;
  end();
  cupti().finalize();
}

void Subscription::enable_all() {
  enable([](CUpti_CallbackId) { return true; });
}

void Subscription::enable_modules() {
  if (subscriber_ == nullptr) return;
  for (const CUpti_CallbackId id :
       {CUPTI_CBID_RESOURCE_MODULE_LOADED, CUPTI_CBID_RESOURCE_MODULE_UNLOAD_STARTING}) {
    cupti().enable_callback(1, subscriber_, CUPTI_CB_DOMAIN_RESOURCE, id);
  }
}

/// Calls that an older driver lacks cannot be enabled, and never occur.
void Subscription::enable(const std::function<bool(CUpti_CallbackId)>& wanted) {
  if (subscriber_ == nullptr) return;
  for (CUpti_CallbackId id = 0; id < CUPTI_DRIVER_TRACE_CBID_SIZE; ++id) {
    if (listened_call(id) == nullptr) continue;
    cupti().enable_callback(wanted(id) ? 1 : 0, subscriber_, CUPTI_CB_DOMAIN_DRIVER_API, id);
  }
}

void Subscription::enable_probe(bool on) {
  if (subscriber_ == nullptr) return;
  cupti().enable_callback(on ? 1 : 0, subscriber_, CUPTI_CB_DOMAIN_DRIVER_API,
                          CUPTI_DRIVER_TRACE_CBID_cuCtxGetDevice);
}

void Subscription::change_runtime(bool on, const std::function<bool(CUpti_CallbackId)>& which) {
  if (subscriber_ == nullptr) return;
  for (CUpti_CallbackId id = 1; id < CUPTI_RUNTIME_TRACE_CBID_SIZE; ++id) {
    if (!which(id)) continue;
    cupti().enable_callback(on ? 1 : 0, subscriber_, CUPTI_CB_DOMAIN_RUNTIME_API, id);
  }
}

void RuntimeCallbacks::begin() {
  const Within left = state_ == State::ending ? told_within_ : Within(0);
  if (left) subscription_.change_runtime(true, [&](CUpti_CallbackId id) { return id != *left; });
  state_ = State::on;
}

void RuntimeCallbacks::end(Within within) {
  if (state_ != State::on) return called(within);
  told_within_.reset();
  state_ = State::ending;
  tell(within);
}

void RuntimeCallbacks::tell(Within within) {
  if (!within || within == told_within_) return;
  if (told_within_) {
    subscription_.change_runtime(false, [&](CUpti_CallbackId id) { return id == *told_within_; });
    state_ = State::off;
    return;
  }
  subscription_.change_runtime(false, [&](CUpti_CallbackId id) { return id != *within; });
  told_within_ = within;
  if (within == 0u) state_ = State::off;
}

}  // namespace trilane
