#include "common/measure/loop/bench/lane_flags.hpp"

#include <cuda_runtime_api.h>

#include <atomic>

namespace trilane {
namespace {

constexpr std::uint32_t raised = 1;

std::uint32_t* on_the_device(std::byte* host) {
  void* device = nullptr;
  check(cudaHostGetDevicePointer(&device, host, 0));
  return static_cast<std::uint32_t*>(device);
}

}  // namespace

LaneFlags::LaneFlags(std::size_t lanes)
    : memory_(make_pinned_buffer(lanes * words_apart * sizeof(std::uint32_t))),
      host_(reinterpret_cast<std::uint32_t*>(memory_.get())),
      device_(on_the_device(memory_.get())) {}

void LaneFlags::raise(std::uint32_t lane) {
  std::atomic_ref(host_[lane * words_apart]).store(raised, std::memory_order_release);
}

std::uint32_t LaneFlags::poll(std::span<const std::uint32_t> lanes, Watchdog& watchdog) const {
  for (;; watchdog.look(lanes)) {
    for (const std::uint32_t lane : lanes) {
      // The result must not be read before the flag.
      const std::atomic_ref flag(host_[lane * words_apart]);
      if (flag.load(std::memory_order_acquire) == 0) return lane;
    }
  }
}

}  // namespace trilane
