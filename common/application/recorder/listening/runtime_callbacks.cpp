#include "common/application/recorder/listening/runtime_callbacks.hpp"

namespace trilane {
namespace {

/// An application may call one function only.
constexpr std::uint32_t most_calls = 1000;

}  // namespace

void RuntimeCallbacks::begin() {
  subscription_.enable_runtime();
  state_ = State::on;
}

bool RuntimeCallbacks::end(std::uint32_t within) {
  switch (state_) {
    case State::off: break;
    case State::on:
      subscription_.disable_runtime([&](CUpti_CallbackId id) { return id != within; });
      left_ = within;
      calls_ = 0;
      state_ = within == 0 ? State::off : State::ending;
      break;
    case State::ending:
      if (within == left_ && ++calls_ < most_calls) break;
      stays_ = stays_ || within == left_;
      subscription_.disable_runtime([&](CUpti_CallbackId id) { return id == left_; });
      state_ = State::off;
  }
  return state_ == State::off;
}

}  // namespace trilane
