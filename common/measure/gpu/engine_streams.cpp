#include "common/measure/gpu/engine_streams.hpp"

namespace trilane {

EngineStreams::EngineStreams(const Job& job)
    : lanes_(job.workload.lanes), order_(engine_order_of(job.workload)) {
  for (std::uint32_t lane = 0; lane < job.workload.used_lanes(); ++lane) {
    std::vector<std::optional<OrderingEvent>>& events = events_.emplace_back();
    for (const bool recorded : order_.recorded) {
      events.emplace_back();
      if (recorded) events.back().emplace();
    }
  }
}

cudaStream_t EngineStreams::before(const Step& step) const {
  const cudaStream_t stream = streams_[engine_of(step.stage)];
  // The lane's previous chunk uses the memory until these events.
  if (step.chunk >= lanes_) {
    for (const std::uint32_t place : order_.across[step.place]) event(step, place).wait_on(stream);
  }
  for (const std::uint32_t place : order_.within[step.place]) event(step, place).wait_on(stream);
  return stream;
}

void EngineStreams::after(const Step& step) const {
  if (!order_.recorded[step.place]) return;
  event(step, step.place).record_on(streams_[engine_of(step.stage)]);
}

}  // namespace trilane
