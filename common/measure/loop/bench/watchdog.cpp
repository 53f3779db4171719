#include "common/measure/loop/bench/watchdog.hpp"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>

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
  ask(lanes);
}

void Watchdog::ask(std::span<const std::uint32_t> lanes) const {
  const auto done =
      std::ranges::count_if(lanes, [&](std::uint32_t lane) { return is_done(streams_[lane]); });
  if (now_us() - told_us_ < patience_us_) return;
  throw NeverTold(fmt::format(
      "nothing told the host of a lane for {} s; {} of {} lanes that it waits for are done",
      format_us(patience_us_ / 1e6), done, lanes.size()));
}

}  // namespace trilane
