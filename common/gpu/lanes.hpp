// Lanes: streams that fork from an origin stream and join back into it.
#pragma once

#include <cstdint>
#include <vector>

#include "common/gpu/runtime/handles.hpp"
#include "common/variant/plan.hpp"

namespace trilane {

class Lanes {
 public:
  explicit Lanes(std::uint32_t count);

  cudaStream_t operator[](std::uint32_t lane) const { return streams_[lane].get(); }

  /// Orders what every lane gets from now on after what `origin` holds.
  void fork(cudaStream_t origin) const;

  /// Orders what `origin` gets from now on after what every lane holds.
  void join(cudaStream_t origin) const;

  /// The number of different streams behind the lanes, by cudaStreamGetId.
  std::vector<Count> evidence() const;

 private:
  std::vector<Stream> streams_;
  OrderingEvent forked_;
  std::vector<OrderingEvent> done_;
};

}  // namespace trilane
