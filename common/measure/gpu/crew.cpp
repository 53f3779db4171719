#include "common/measure/gpu/crew.hpp"

#include <cuda_runtime_api.h>

#include "common/base/text/exit_code.hpp"
#include "common/device/flavour/flavour.hpp"
#include "common/measure/gpu/runtime/check.hpp"

namespace trilane {
namespace {

/// Polls for a while before the caller sleeps: waking a sleeping thread can take longer than
/// issuing all its work.
template <typename Ready>
void poll(Ready ready) {
  constexpr std::chrono::microseconds patience(200);
  const auto end = std::chrono::steady_clock::now() + patience;
  while (!ready() && std::chrono::steady_clock::now() < end) std::this_thread::yield();
}

}  // namespace

Crew::Crew(std::uint32_t members) : errors_(members) {
  int device = 0;
  check(cudaGetDevice(&device));
  try {
    for (std::uint32_t member = 0; member < members; ++member) {
      threads_.emplace_back([this, member] { serve(member); });
    }
    // Waits until all threads have started. They make their first calls in order, so a simulated
    // device numbers them alike in every process.
    run([device](std::uint32_t) { check(cudaSetDevice(device)); });
  } catch (const std::system_error& error) {
    dismiss();
    throw NotPossible(
        "{} host threads cannot be started ({}): take fewer lanes, or "
        "raise the limit with ulimit -u",
        members, error.code().message());
  } catch (...) {
    dismiss();  // ~Crew does not run, but ~jthread joins the started threads
    throw;
  }
}

Crew::~Crew() { dismiss(); }

void Crew::dismiss() {
  const std::lock_guard lock(mutex_);
  dismissed_ = true;
  called_.notify_all();
}

void Crew::run(const std::function<void(std::uint32_t)>& work) {
  HostThreads at_once(static_cast<std::uint32_t>(threads_.size()));
  const auto all_done = [this] { return still_busy_ == 0; };
  {
    const std::lock_guard lock(mutex_);
    work_ = &work;
    at_once_ = &at_once;
    still_busy_ = static_cast<std::uint32_t>(threads_.size());
    ++calls_;
  }
  called_.notify_all();
  poll(all_done);
  std::unique_lock lock(mutex_);
  finished_.wait(lock, all_done);
  std::exception_ptr first;
  for (std::exception_ptr& error : errors_) {
    if (std::exception_ptr thrown = std::exchange(error, nullptr); thrown && !first) first = thrown;
  }
  if (first) std::rethrow_exception(first);
}

void Crew::serve(std::uint32_t member) {
  for (std::uint64_t served = 0;; ++served) {
    const auto called = [&] { return dismissed_ || calls_ > served; };
    poll(called);
    std::unique_lock lock(mutex_);
    called_.wait(lock, called);
    if (dismissed_) return;
    lock.unlock();
    std::exception_ptr error;
    try {
      const HostThread self(*at_once_, member);
      (*work_)(member);
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    errors_[member] = error;
    if (--still_busy_ == 0) finished_.notify_all();
  }
}

}  // namespace trilane
