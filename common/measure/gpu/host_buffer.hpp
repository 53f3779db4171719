// Host memory of each kind, and host memory that processes share.
#pragma once

#include "common/base/system/lock.hpp"
#include "common/model/workload/workload.hpp"

namespace trilane {

/// Frees host memory in the way that matches its allocation.
struct HostRelease {
  HostMemory kind = HostMemory::pinned;
  bool owned = true;  ///< otherwise only its registration ends, and the memory stays
  void operator()(std::byte* memory) const noexcept;
};

using HostBuffer = std::unique_ptr<std::byte, HostRelease>;

/// From this size on, pinned memory is registered instead of allocated pinned, because
/// cudaHostAlloc fills it on one core. For 12 GiB on the host of an H200 that took 4.8 s; filling
/// by 16 cores and registering took 0.6 s.
inline constexpr std::uint64_t large_host_buffer = std::uint64_t{1} << 30;

/// Allocates `bytes` of host memory of that kind, aligned to a page. Throws CudaError and
/// std::bad_alloc.
HostBuffer make_host_buffer(std::uint64_t bytes, HostMemory kind);

/// Pins shared memory for this process; the release unpins it. Copies and kernels use it like
/// memory that was allocated pinned (tried on an H100 on launch, balanced and transfer). Throws
/// CudaError.
HostBuffer pin_shared(std::byte* memory, std::uint64_t bytes);

/// Returns a view of memory owned by others, as it is.
HostBuffer view_of(std::byte* memory);

/// Returns an estimate of the seconds to allocate `bytes` of host memory, pin them and fill
/// them with input, at the rate at which this host fills fresh memory now. 0 for less than 1 GiB,
/// which takes too little time to be announced.
double host_memory_seconds(std::uint64_t bytes);

/// Returns the kind of memory for a pass's output if its input has `kind`: the CPU reads the
/// output, and write-combined memory is slow to read.
HostMemory output_kind(HostMemory kind);

/// Zeroed, nameless memory that other processes can map from the same file.
class SharedMemory : boost::noncopyable {
 public:
  /// Creates it. Throws NotPossible if the system has no memory for it.
  explicit SharedMemory(std::uint64_t bytes);
  /// Maps the memory of another process, whose open file this process has inherited. Throws
  /// NotPossible.
  SharedMemory(int file, std::uint64_t bytes);
  ~SharedMemory();

  std::byte* get() const { return memory_; }
  std::uint64_t bytes() const { return bytes_; }
  /// Returns the open file, for a child to inherit; closed on exec unless the child prevents that.
  int file() const { return file_.get(); }

 private:
  std::uint64_t bytes_;
  OpenFile file_;
  std::byte* memory_ = nullptr;
};

}  // namespace trilane
