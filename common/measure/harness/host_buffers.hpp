// The host memory that all variants of a comparison share.
#pragma once

#include "common/measure/gpu/host_buffer.hpp"
#include "common/model/workload/buffer_layout.hpp"

namespace trilane {

/// The largest host memory sizes of several workloads.
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

/// The host memory that the processes of a comparison share: input, output and expected output.
struct SharedHost {
  explicit SharedHost(const BufferSizes& of) : sizes(rounded(of)), memory(total(sizes)) {}
  /// Maps the memory of the process that opened `file`, which must have the same sizes.
  SharedHost(int file, const BufferSizes& of) : sizes(rounded(of)), memory(file, total(sizes)) {}

  std::byte* in() const { return memory.get(); }
  std::byte* out() const { return memory.get() + sizes.in; }
  std::byte* expected() const { return out() + sizes.out; }

  /// Rounds up to whole pages, because pages are pinned.
  static BufferSizes rounded(BufferSizes sizes) {
    constexpr std::uint64_t page = 4096;
    for (std::uint64_t* bytes : {&sizes.in, &sizes.out}) *bytes = (*bytes + page - 1) / page * page;
    return sizes;
  }
  static std::uint64_t total(const BufferSizes& sizes) { return sizes.in + 2 * sizes.out; }

  BufferSizes sizes;
  SharedMemory memory;
};

inline BufferSizes sizes_for(const Workload& workload) {
  BufferSizes sizes;
  sizes.fit(workload);
  return sizes;
}

inline BufferSizes sizes_for(std::span<const Workload> workloads) {
  BufferSizes sizes;
  for (const Workload& workload : workloads) sizes.fit(workload);
  return sizes;
}

/// The host buffers of a pass, and the expected output. Pinning takes long, 25 ms for 64 MiB, so a
/// sweep does it once for all its cells.
struct HostBuffers {
  HostBuffers(const BufferSizes& sizes, HostMemory kind)
      : in(make_host_buffer(sizes.in, kind)),
        out(make_host_buffer(sizes.out, output_kind(kind))),
        expected(make_host_buffer(sizes.out, HostMemory::pageable)) {}

  /// Uses memory shared by processes, which must outlive it. Only pinned memory is shared directly:
  /// each process has its own of other kinds, and take_input() copies into them.
  HostBuffers(const SharedHost& shared, const BufferSizes& sizes, HostMemory kind)
      : in(kind == HostMemory::pinned ? pin_shared(shared.in(), sizes.in)
                                      : make_host_buffer(sizes.in, kind)),
        out(kind == HostMemory::pinned ? pin_shared(shared.out(), sizes.out)
                                       : make_host_buffer(sizes.out, output_kind(kind))),
        expected(view_of(shared.expected())),
        shared_in(shared.in()),
        in_bytes(sizes.in) {}

  /// Views shared memory and pins none of it, for uses without timed passes.
  explicit HostBuffers(const SharedHost& shared)
      : in(view_of(shared.in())),
        out(view_of(shared.out())),
        expected(view_of(shared.expected())) {}

  /// Copies the input drawn by another process to the buffer that passes read.
  void take_input() {
    if (in.get() != shared_in) std::memcpy(in.get(), shared_in, in_bytes);
  }

  HostBuffer in, out, expected;
  std::byte* shared_in = nullptr;  ///< null unless processes share it
  std::uint64_t in_bytes = 0;
};

}  // namespace trilane
