// Each notification mechanism after an illegal address in a kernel of a lane: from then on no host
// function is called, no word is written and no event completes. The watchdog must end the loop.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <stdexcept>

#include "common/measure/gpu/runtime/check.hpp"
#include "common/measure/loop/bench/notification.hpp"
#include "tests/variants/planted/planted_kernels.hpp"

namespace trilane {
namespace {

/// The mechanism of that name, after a kernel that fails in the lane's fifth item.
class Illegal : public Notification {
 public:
  Illegal(const std::string& name, const std::vector<cudaStream_t>& streams)
      : Notification(streams), items_(streams.size()) {
    const auto notification = std::ranges::find(notifications(), name, &NotificationEntry::name);
    if (notification == notifications().end())
      throw std::logic_error("no notification is called " + name);
    inner_ = notification->make(streams);
  }

  void mark(std::uint32_t lane) override {
    if (++items_[lane] == 5) write_nowhere(streams_[lane]);
    inner_->mark(lane);
  }

  std::uint32_t next(std::span<const std::uint32_t> lanes, Watchdog& watchdog) override {
    return inner_->next(lanes, watchdog);
  }

 private:
  static void write_nowhere(cudaStream_t stream) {
    auto* nowhere = reinterpret_cast<std::uint32_t*>(0x10);
    std::uint64_t beyond = 0;
    void* arguments[] = {&nowhere, &beyond};
    check(cudaLaunchKernel(write_beyond_kernel(), dim3(1), dim3(1), arguments, 0, stream));
  }

  std::vector<int> items_;
  std::unique_ptr<Notification> inner_;
};

struct Planted {
  Planted(const std::string& name, Staff staff, Wait wait = Wait::spin) {
    notifications().push_back({.name = "illegal_" + name,
                               .staff = staff,
                               .wait = wait,
                               .make = [name](const std::vector<cudaStream_t>& streams) {
                                 return std::make_unique<Illegal>(name, streams);
                               }});
  }
};

const Planted event_polled("event_polled", Staff::one_thread);
const Planted host_function("host_function", Staff::one_thread);
const Planted thread_spinning("thread_spinning", Staff::thread_per_lane);
const Planted thread_blocking("thread_blocking", Staff::thread_per_lane, Wait::block);
const Planted event_blocking("event_blocking", Staff::thread_per_lane);
const Planted word_by_kernel("word_by_kernel", Staff::one_thread);
const Planted word_by_driver("word_by_driver", Staff::one_thread);

}  // namespace
}  // namespace trilane
