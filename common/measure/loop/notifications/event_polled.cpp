// One thread polls an event of each lane.
#include <cuda_runtime_api.h>

#include "common/measure/loop/bench/notification.hpp"

namespace trilane::event_polled {

class EventPolled : public Notification {
 public:
  explicit EventPolled(const std::vector<cudaStream_t>& streams) : Notification(streams) {
    for (std::size_t i = 0; i < streams.size(); ++i) events_.push_back(make_ordering_event());
  }

  void mark(std::uint32_t lane) override {
    check(cudaEventRecord(events_[lane].get(), streams_[lane]));
  }

  std::uint32_t next(std::span<const std::uint32_t> lanes, Watchdog& watchdog) override {
    for (;; watchdog.look(lanes)) {
      for (const std::uint32_t lane : lanes) {
        const cudaError_t status = cudaEventQuery(events_[lane].get());
        if (status == cudaSuccess) return lane;
        if (status != cudaErrorNotReady) check(status);
      }
    }
  }

 private:
  std::vector<Event> events_;
};

const EnrolledNotification<EventPolled> enrolled({.name = "event_polled"});

}  // namespace trilane::event_polled
