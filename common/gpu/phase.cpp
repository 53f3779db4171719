#include "common/gpu/phase.hpp"

#include <algorithm>

#include "common/flavour/flavour.hpp"

namespace trilane {

namespace {

thread_local PhaseLog* listener = nullptr;

}  // namespace

Phase::Phase(const char* name)
    : name_(listener != nullptr && !listener->in_phase_ ? name : nullptr) {
  if (name_ == nullptr) return;
  listener->in_phase_ = true;
  start_us_ = now_us();
}

Phase::~Phase() {
  if (name_ == nullptr || listener == nullptr) return;
  const double taken = now_us() - start_us_;
  listener->in_phase_ = false;
  const auto known = std::ranges::find(listener->times_, name_, &PhaseTime::first);
  if (known != listener->times_.end()) {
    known->second += taken;
  } else {
    listener->times_.emplace_back(name_, taken);
  }
}

PhaseLog::PhaseLog() { listener = this; }
PhaseLog::~PhaseLog() { listener = nullptr; }

}  // namespace trilane
