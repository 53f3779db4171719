#include "common/measure/loop/bench/notification.hpp"

#include <cuda_runtime_api.h>

#include "common/base/console/interrupt.hpp"
#include "common/base/text/size.hpp"
#include "common/device/flavour/flavour.hpp"
#include "common/measure/gpu/runtime/check.hpp"

namespace trilane {
namespace {

/// A query takes the host microseconds, and locks the driver.
constexpr double between_us = 10e3;

bool is_done(cudaStream_t stream) {
  const cudaError_t status = cudaStreamQuery(stream);
  if (status != cudaErrorNotReady) check(status);
  return status == cudaSuccess;
}

constexpr std::uint32_t raised = 1;

}  // namespace

Watchdog::Watchdog(const std::vector<cudaStream_t>& streams, const std::atomic<bool>& ended,
                   const std::function<bool()>& interrupted, double patience_us)
    : streams_(streams),
      ended_(ended),
      interrupted_(interrupted),
      patience_us_(patience_us),
      told_us_(now_us()),
      asked_us_(told_us_) {}

void Watchdog::told() { told_us_ = asked_us_ = now_us(); }

void Watchdog::look(std::span<const std::uint32_t> lanes) {
  const double now = now_us();
  if (now - asked_us_ < between_us) return;
  asked_us_ = now;
  if (ended_) throw LoopEnded();
  if (interrupted_()) throw Interrupted();
  const auto done =
      std::ranges::count_if(lanes, [&](std::uint32_t lane) { return is_done(streams_[lane]); });
  if (now_us() - told_us_ < patience_us_) return;
  throw NeverTold(
      fmt::format("the host was not notified of any lane for {} s; {} of the {} lanes that it "
                  "waits for are done",
                  format_us(patience_us_ / 1e6), done, lanes.size()));
}

LaneFlags::LaneFlags(std::size_t lanes)
    : memory_(make_pinned_buffer(lanes * words_apart * sizeof(std::uint32_t))),
      host_(reinterpret_cast<std::uint32_t*>(memory_.get())),
      device_(reinterpret_cast<std::uint32_t*>(device_address(memory_.get()))) {}

std::uint32_t* LaneFlags::raise(std::uint32_t lane) {
  std::atomic_ref(host_[lane * words_apart]).store(raised, std::memory_order_release);
  return device_ + lane * words_apart;
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

std::vector<NotificationEntry>& notifications() {
  static std::vector<NotificationEntry> all;
  return all;
}

}  // namespace trilane
