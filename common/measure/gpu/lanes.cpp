#include "common/measure/gpu/lanes.hpp"

#include <set>

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

}  // namespace trilane
