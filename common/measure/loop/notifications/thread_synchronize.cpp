// A thread per lane waits in cudaStreamSynchronize, spinning or blocked.
#include <cuda_runtime_api.h>

#include "common/measure/gpu/runtime/check.hpp"
#include "common/measure/loop/bench/notification.hpp"

namespace trilane::thread_synchronize {

class ThreadSynchronize : public Notification {
 public:
  using Notification::Notification;

  void mark(std::uint32_t) override {}

  std::uint32_t next(std::span<const std::uint32_t> lanes, Watchdog& watchdog) override {
    check(cudaStreamSynchronize(streams_[lanes.front()]));
    watchdog.look(lanes);
    return lanes.front();
  }
};

constexpr const char* not_modelled = "host threads that wait side by side";

const EnrolledNotification<ThreadSynchronize> spinning({.name = "thread_spinning",
                                                        .staff = Staff::thread_per_lane,
                                                        .not_modelled = not_modelled});
const EnrolledNotification<ThreadSynchronize> blocking({.name = "thread_blocking",
                                                        .staff = Staff::thread_per_lane,
                                                        .wait = Wait::block,
                                                        .not_modelled = not_modelled});

}  // namespace trilane::thread_synchronize
