#include "common/measure/gpu/runtime/phase.hpp"

#include "common/device/flavour/flavour.hpp"

namespace trilane {
namespace {

thread_local PhaseLog* listener = nullptr;

}  // namespace

Phase::Phase(const char* name)
    : log_(listener != nullptr && !listener->in_phase_ ? listener : nullptr), name_(name) {
  if (log_ == nullptr) return;
  log_->times_.reserve(log_->times_.size() + 1);  // the destructor may not throw
  log_->in_phase_ = true;
  start_us_ = now_us();
}

Phase::~Phase() {
  if (log_ == nullptr) return;
  const double taken = now_us() - start_us_;
  log_->in_phase_ = false;
  const auto known = std::ranges::find(log_->times_, name_, &PhaseTime::first);
  if (known != log_->times_.end()) {
    known->second += taken;
  } else {
    log_->times_.emplace_back(name_, taken);
  }
}

PhaseLog::PhaseLog() : outer_(std::exchange(listener, this)) {}
PhaseLog::~PhaseLog() { listener = outer_; }

}  // namespace trilane
