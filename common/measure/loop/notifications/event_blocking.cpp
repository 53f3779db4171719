// A thread per lane is blocked in cudaEventSynchronize on a blocking event.
#include <cuda_runtime_api.h>

#include "common/measure/loop/bench/notification.hpp"

namespace trilane::event_blocking {

class EventBlocking : public Notification {
 public:
  explicit EventBlocking(const std::vector<cudaStream_t>& streams) : Notification(streams) {
    for (std::size_t i = 0; i < streams.size(); ++i) events_.push_back(make_blocking_event());
  }

  void mark(std::uint32_t lane) override {
    check(cudaEventRecord(events_[lane].get(), streams_[lane]));
  }

  std::uint32_t next(std::span<const std::uint32_t> lanes, Watchdog& watchdog) override {
    check(cudaEventSynchronize(events_[lanes.front()].get()));
    watchdog.look(lanes);
    return lanes.front();
  }

 private:
  std::vector<Event> events_;
};

const EnrolledNotification<EventBlocking> enrolled(
    {.name = "event_blocking",
     .staff = Staff::thread_per_lane,
     .not_modelled = "host threads that wait side by side"});

}  // namespace trilane::event_blocking
