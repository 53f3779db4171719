// Small buffers and a pending kernel: shared by tests of copies and host memory.
#pragma once

#include "tests/device/simulator/runtime/rules.hpp"

namespace trilane::simulator::rules {

/// The size of every buffer here.
inline constexpr std::uint64_t bytes = 4;

/// Returns pinned memory filled with one letter.
inline PinnedBuffer pinned(char letter) {
  PinnedBuffer memory = make_pinned_buffer(bytes);
  std::memset(memory.get(), letter, bytes);
  return memory;
}

/// Returns device memory filled with one letter, without pending work.
inline DeviceBuffer device(char letter) {
  DeviceBuffer memory = make_device_buffer(bytes);
  check(cudaMemset(memory.get(), letter, bytes));
  check(cudaDeviceSynchronize());
  return memory;
}

inline char first(const void* memory) { return *static_cast<const char*>(memory); }

/// Returns whether a kernel that was pending on a blocking stream before `call` had run when it
/// returned.
inline std::string waited(const std::function<void()>& call) {
  const Stream stream = make_blocking_stream();
  mark('a', stream.get());
  call();
  const std::string then = trace();
  check(cudaDeviceSynchronize());  // for the owners of memory still in use
  return then == "a" ? "waited" : "did-not-wait";
}

}  // namespace trilane::simulator::rules
