#include <condition_variable>
#include <optional>
#include <vector>

#include "common/device/flavour/flavour.hpp"
#include "common/device/simulator/machine/call.hpp"

namespace trilane::simulator {

namespace {

thread_local std::optional<std::uint32_t> member;  // number of this thread, if it is announced

/// Admits one call of each announced thread in turn.
class CallOrder {
 public:
  void begin(std::uint32_t members) {
    const std::lock_guard lock(mutex_);
    at_work_.assign(members, true);
    next_ = 0;
  }

  void wait_for(std::uint32_t thread) {
    std::unique_lock lock(mutex_);
    passed_.wait(lock, [&] { return next_ == thread; });
  }

  void pass() {
    const std::lock_guard lock(mutex_);
    pass_locked();
  }

  void leave(std::uint32_t thread) {
    const std::lock_guard lock(mutex_);
    at_work_.at(thread) = false;
    if (next_ == thread) pass_locked();
  }

 private:
  /// Passes the turn to the next thread that is still active, if any.
  void pass_locked() {
    const std::size_t members = at_work_.size();
    for (std::size_t step = 1; step <= members; ++step) {
      const std::size_t thread = (next_ + step) % members;
      if (!at_work_[thread]) continue;
      next_ = thread;
      break;
    }
    passed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable passed_;
  std::vector<bool> at_work_;
  std::size_t next_ = 0;
};

CallOrder& call_order() {
  static CallOrder order;
  return order;
}

}  // namespace

Hold::Hold(Machine& machine) {
  if (member) call_order().wait_for(*member);
  lock_ = std::unique_lock(machine.mutex);
}

Hold::~Hold() {
  lock_.unlock();
  if (member) call_order().pass();
}

}  // namespace trilane::simulator

namespace trilane {

using simulator::call_order;
using simulator::member;

HostThreads::HostThreads(std::uint32_t members) { call_order().begin(members); }
HostThreads::~HostThreads() = default;

HostThread::HostThread(std::uint32_t number) { member = number; }
HostThread::~HostThread() {
  call_order().leave(*member);
  member.reset();
}

}  // namespace trilane
