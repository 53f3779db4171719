// The host memory of a comparison, which all of its variants share.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/gpu/host_buffer.hpp"

namespace trilane {

/// Sizes that suffice for each of several workloads.
struct BufferSizes {
  std::uint64_t in = 0, out = 0;  ///< bytes

  void fit(const Workload& workload) {
    in = std::max(in, workload.bytes);
    out = std::max(out, workload.result_total());
  }
};

/// What a pass reads and writes on the host, and what it must write. To pin memory takes long, 25
/// ms for 64 MiB: a sweep does it once for all its cells.
struct HostBuffers {
  HostBuffers(const BufferSizes& sizes, HostMemory kind)
      : in(make_host_buffer(sizes.in, kind)),
        out(make_host_buffer(sizes.out, output_kind(kind))),
        expected(sizes.out) {}

  HostBuffer in, out;
  std::vector<std::byte> expected;
};

}  // namespace trilane
