#include "common/gpu/lanes.hpp"

#include <set>

namespace trilane {

Lanes::Lanes(std::uint32_t count) : forked_(make_ordering_event()) {
  for (std::uint32_t lane = 0; lane < count; ++lane) {
    streams_.push_back(make_stream());
    done_.push_back(make_ordering_event());
  }
}

void Lanes::fork(cudaStream_t origin) const {
  check(cudaEventRecord(forked_.get(), origin));
  for (const Stream& stream : streams_) check(cudaStreamWaitEvent(stream.get(), forked_.get(), 0));
}

void Lanes::join(cudaStream_t origin) const {
  for (std::size_t lane = 0; lane < streams_.size(); ++lane) {
    check(cudaEventRecord(done_[lane].get(), streams_[lane].get()));
    check(cudaStreamWaitEvent(origin, done_[lane].get(), 0));
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

}  // namespace trilane
