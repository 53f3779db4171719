// The host memory of a comparison, which all of its variants share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/gpu/host_buffer.hpp"

namespace trilane {

/// Bytes that passes read and write on the host: as many as the largest of several workloads.
struct HostBytes {
  std::uint64_t in = 0, out = 0;

  void make_room_for(const Workload& workload);
};

/// What a pass reads and writes on the host, and what it must write. To pin memory takes long, 25
/// ms for 64 MiB: a sweep does it once for all its cells.
struct HostBuffers {
  HostBuffers(const HostBytes& bytes, HostMemory kind);

  HostBuffer in, out;
  std::vector<std::byte> expected;
};

}  // namespace trilane
