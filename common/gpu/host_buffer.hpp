// Host memory of each kind.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "common/workload/workload.hpp"

namespace trilane {

/// Gives host memory back in the way in which it was taken.
struct HostRelease {
  HostMemory kind = HostMemory::pinned;
  void operator()(std::byte* memory) const noexcept;
};

using HostBuffer = std::unique_ptr<std::byte, HostRelease>;

/// `bytes` of host memory of that kind, aligned to a page. Throws CudaError, and std::bad_alloc.
HostBuffer make_host_buffer(std::uint64_t bytes, HostMemory kind);

/// The kind in which a pass's output is kept: the CPU reads it, and write-combined memory is slow
/// to read.
HostMemory output_kind(HostMemory kind);

}  // namespace trilane
