#include "common/measure/gpu/lanes.hpp"

namespace trilane {

Lanes::Lanes(std::uint32_t count) : done_(count) {
  for (std::uint32_t lane = 0; lane < count; ++lane) streams_.push_back(make_stream());
}

void Lanes::fork(cudaStream_t origin) const {
  forked_.record_on(origin);
  for (const Stream& stream : streams_) forked_.wait_on(stream.get());
}

void Lanes::join(cudaStream_t origin) const {
  for (std::size_t lane = 0; lane < streams_.size(); ++lane) {
    done_[lane].record_on(streams_[lane].get());
    done_[lane].wait_on(origin);
  }
}

std::vector<Count> Lanes::evidence() const {
  std::set<unsigned long long> ids;
  for (const Stream& stream : streams_) {
    unsigned long long id = 0;
    check(cudaStreamGetId(stream.get(), &id));
    ids.insert(id);
  }
  return {{"streams", ids.size()}};
}

EngineStreams::EngineStreams(const Job& job)
    : Lanes(engine_count), lanes_(job.workload.lanes), order_(engine_order_of(job.workload)) {
  for (std::uint32_t lane = 0; lane < job.workload.used_lanes(); ++lane) {
    std::vector<std::optional<OrderingEvent>>& events = events_.emplace_back();
    for (const bool recorded : order_.recorded) {
      events.emplace_back();
      if (recorded) events.back().emplace();
    }
  }
}

cudaStream_t EngineStreams::before(const Step& step) const {
  const cudaStream_t stream = (*this)[engine_of(step.stage)];
  // The lane's previous chunk uses the memory until these events.
  if (step.chunk >= lanes_) {
    for (const std::uint32_t place : order_.across[step.place]) event(step, place).wait_on(stream);
  }
  for (const std::uint32_t place : order_.within[step.place]) event(step, place).wait_on(stream);
  return stream;
}

void EngineStreams::after(const Step& step) const {
  if (!order_.recorded[step.place]) return;
  event(step, step.place).record_on((*this)[engine_of(step.stage)]);
}

}  // namespace trilane
