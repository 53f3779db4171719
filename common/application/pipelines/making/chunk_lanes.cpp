#include "common/application/pipelines/making/chunk_lanes.hpp"

#include <algorithm>
#include <set>

#include "common/model/workload/knobs.hpp"

namespace trilane {
namespace {

/// Returns how many chunks have memory of their own, by the first place that they use.
std::size_t memories(const ChunkedIteration& chunked) {
  std::set<DevicePlace> places;
  for (const ChunkChain& chain : chunked.chains) {
    places.insert(chunked.operations[chain[0]].places.front());
  }
  return places.size();
}

}  // namespace

ChunkLanes chunk_lanes(const ChunkedIteration& chunked) {
  const auto stream_of = [&](std::size_t operation) {
    return chunked.recording.calls[chunked.operations[operation].call].stream;
  };
  std::set<std::uint32_t> streams;
  bool one_each = true, in_a_row = true;
  for (const ChunkChain& chain : chunked.chains) {
    for (std::size_t i = 0; i < chain.size(); ++i) {
      streams.insert(stream_of(chain[i]));
      one_each = one_each && stream_of(chain[i]) == stream_of(chain[0]);
      in_a_row = in_a_row && chain[i] == chain[0] + i;
    }
  }
  // With a stream for each engine, as many chunks are under way as have their own memory.
  const std::size_t lanes = one_each ? streams.size() : memories(chunked);
  return {.lanes = static_cast<std::uint32_t>(
              std::min({lanes, chunked.chains.size(), std::size_t{max_lanes}})),
          .order = in_a_row ? Order::depth_first : Order::breadth_first};
}

}  // namespace trilane
