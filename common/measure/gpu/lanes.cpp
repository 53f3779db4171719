#include "common/measure/gpu/lanes.hpp"

namespace trilane {

Lanes::Lanes(std::uint32_t count, Homes homes) : homes_(std::move(homes)) {
  for (std::uint32_t lane = 0; lane < count; ++lane) {
    homes_.enter(lane);
    streams_.push_back(make_stream());
    done_.emplace_back();
  }
  homes_.leave();
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
  homes_.leave();
}

std::vector<Count> Lanes::evidence() const {
  std::set<unsigned long long> ids;
  std::set<int> gpus;
  for (const Stream& stream : streams_) {
    unsigned long long id = 0;
    check(cudaStreamGetId(stream.get(), &id));
    ids.insert(id);
    gpus.insert(device_of(stream.get()));
  }
  Facts facts{{"streams", ids.size()}};
  if (homes_.is_split()) facts.push_back({"GPUs", gpus.size()});
  return facts;
}

EngineStreams::EngineStreams(const Job& job)
    : Lanes(engine_count * job.workload.gpu_count(), Homes(job.workload)),
      lanes_(job.workload.all_lanes()),
      order_(engine_order_of(job.workload)) {
  for (std::uint32_t lane = 0; lane < job.workload.used_lanes(); ++lane) {
    homes().enter(lane);
    std::vector<std::optional<OrderingEvent>>& events = events_.emplace_back();
    for (const bool recorded : order_.recorded) {
      events.emplace_back();
      if (recorded) events.back().emplace();
    }
  }
  homes().leave();
}

cudaStream_t EngineStreams::before(const Step& step) const {
  const cudaStream_t stream = (*this)[engine_of_lane(step)];
  // The lane's previous chunk uses the memory until these events.
  if (step.chunk >= lanes_) {
    for (const std::uint32_t place : order_.across[step.place]) event(step, place).wait_on(stream);
  }
  for (const std::uint32_t place : order_.within[step.place]) event(step, place).wait_on(stream);
  return stream;
}

void EngineStreams::after(const Step& step) const {
  if (!order_.recorded[step.place]) return;
  event(step, step.place).record_on(stream(engine_of_lane(step)));
}

}  // namespace trilane
