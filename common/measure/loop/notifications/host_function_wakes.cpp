// A host function behind each item wakes one dispatcher.
#include <cuda_runtime_api.h>

#include "common/measure/gpu/runtime/check.hpp"
#include "common/measure/loop/bench/notification.hpp"

namespace trilane::host_function_wakes {

class HostFunction : public Notification {
 public:
  explicit HostFunction(const std::vector<cudaStream_t>& streams) : Notification(streams) {
    for (std::uint32_t lane = 0; lane < streams.size(); ++lane) calls_.push_back({this, lane});
  }

  void mark(std::uint32_t lane) override {
    check(cudaLaunchHostFunc(streams_[lane], called, &calls_[lane]));
  }

  std::uint32_t next(std::span<const std::uint32_t> lanes, Watchdog& watchdog) override {
    // No host function is called after an error in a kernel, so the watchdog must query meanwhile.
    constexpr std::chrono::milliseconds between(20);
    std::unique_lock lock(mutex_);
    while (!woken_.wait_for(lock, between, [this] { return !done_.empty(); })) {
      lock.unlock();
      watchdog.look(lanes);
      lock.lock();
    }
    const std::uint32_t lane = done_.front();
    done_.pop_front();
    return lane;
  }

 private:
  struct Call {
    HostFunction* notification;
    std::uint32_t lane;
  };

  /// Runs on a thread of the driver, where runtime calls are not allowed.
  static void called(void* data) {
    const auto [notification, lane] = *static_cast<Call*>(data);
    const std::lock_guard lock(notification->mutex_);
    notification->done_.push_back(lane);
    notification->woken_.notify_one();
  }

  std::vector<Call> calls_;
  std::mutex mutex_;
  std::condition_variable woken_;
  std::deque<std::uint32_t> done_;
};

const EnrolledNotification<HostFunction> enrolled(
    {.name = "host_function",
     .not_modelled = "when the thread of host functions wakes up and wakes another"});

}  // namespace trilane::host_function_wakes
