// Determines how an application issues the chunks of its iteration.
#pragma once

#include <cstdint>

#include "common/application/pipelines/making/chunked_iteration.hpp"
#include "common/model/workload/workload.hpp"

namespace trilane {

struct ChunkLanes {
  std::uint32_t lanes = 1;
  Order order = Order::depth_first;
};

/// Returns the lanes: the streams or, if a chunk uses several, the chunks that have memory of their
/// own.
ChunkLanes chunk_lanes(const ChunkedIteration& chunked);

}  // namespace trilane
