#include "common/application/recorder/listening/runtime_callbacks.hpp"

namespace trilane {

void RuntimeCallbacks::begin() {
  const Within left = state_ == State::ending ? told_within_ : Within(0);
  if (left) subscription_.enable_runtime([&](CUpti_CallbackId id) { return id != *left; });
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
    subscription_.disable_runtime([&](CUpti_CallbackId id) { return id == *told_within_; });
    state_ = State::off;
    return;
  }
  subscription_.disable_runtime([&](CUpti_CallbackId id) { return id != *within; });
  told_within_ = within;
  if (within == 0u) state_ = State::off;
}

}  // namespace trilane
