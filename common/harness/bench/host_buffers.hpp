// The host memory that all variants of a comparison share.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "common/gpu/host_buffer.hpp"
#include "common/workload/steps/buffer_layout.hpp"

namespace trilane {

/// The largest sizes of host memory of several workloads.
struct BufferSizes {
  std::uint64_t in = 0, out = 0;  ///< bytes

  void fit(const Workload& workload) {
    const Layout layout = layout_of(workload);
    in = std::max(in, layout.in_bytes);
    out = std::max(out, layout.out_bytes);
    // The probe copies as many bytes in as out, from the same buffer.
    if (workload.pipeline) in = std::max(in, out);
  }
};

inline BufferSizes sizes_for(const Workload& workload) {
  BufferSizes sizes;
  sizes.fit(workload);
  return sizes;
}

/// What a pass reads and writes on the host, and the expected output. Pinning takes long, 25 ms for
/// 64 MiB, so a sweep does it once for all its cells.
struct HostBuffers {
  HostBuffers(const BufferSizes& sizes, HostMemory kind)
      : in(make_host_buffer(sizes.in, kind)),
        out(make_host_buffer(sizes.out, output_kind(kind))),
        expected(make_host_buffer(sizes.out, HostMemory::pageable)) {}

  HostBuffer in, out, expected;
};

}  // namespace trilane
