// Lanes: streams that fork from an origin stream and join back into it.
#pragma once

#include <cstdint>
#include <vector>

#include "common/measure/gpu/runtime/handles.hpp"
#include "common/model/variant/plan.hpp"

namespace trilane {

class Lanes {
 public:
  explicit Lanes(std::uint32_t count);

  cudaStream_t operator[](std::uint32_t lane) const { return streams_[lane].get(); }

  /// Orders later work on every lane after the work now on `origin`.
  void fork(cudaStream_t origin) const;

  /// Orders later work on `origin` after the work now on every lane.
  void join(cudaStream_t origin) const;

  /// Returns the number of distinct streams behind the lanes, from cudaStreamGetId.
  std::vector<Count> evidence() const;

 private:
  std::vector<Stream> streams_;
  OrderingEvent forked_;
  std::vector<OrderingEvent> done_;
};

}  // namespace trilane
