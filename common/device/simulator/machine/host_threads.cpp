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

  /// Passes the turn, if `thread` has it, to the next thread that is still active. A thread that
  /// leaves gets no more turns.
  void pass(std::uint32_t thread, bool leaves) {
    const std::lock_guard lock(mutex_);
    if (leaves) at_work_.at(thread) = false;
    if (next_ != thread) return;
    const std::size_t members = at_work_.size();
    for (std::size_t step = 1; step <= members; ++step) {
      const std::size_t other = (thread + step) % members;
      if (!at_work_[other]) continue;
      next_ = other;
      break;
    }
    passed_.notify_all();
  }

 private:
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
  if (member) call_order().pass(*member, false);
}

}  // namespace trilane::simulator

namespace trilane {

using simulator::call_order;
using simulator::member;

HostThreads::HostThreads(std::uint32_t members) { call_order().begin(members); }
HostThreads::~HostThreads() = default;

HostThread::HostThread(std::uint32_t number) { member = number; }
HostThread::~HostThread() {
  call_order().pass(*member, true);
  member.reset();
}

}  // namespace trilane
