#include "common/gpu/runtime/gated_timer.hpp"

#include "common/gpu/runtime/gate.hpp"

namespace trilane {

LaunchesBlock::LaunchesBlock()
    : std::runtime_error(
          "launches wait for the device here (CUDA_LAUNCH_BLOCKING or a sanitizer)") {}

double GatedTimer::time_us(cudaStream_t origin, const std::function<void()>& enqueue) const {
  constexpr double patience_s = 1;  // enqueuing takes milliseconds
  Gate gate(patience_s);
  gate.close(origin);
  check(cudaEventRecord(start(), origin));
  enqueue();
  check(cudaEventRecord(stop_.get(), origin));
  const bool held = gate.open();
  check(cudaStreamSynchronize(origin));
  if (!held) {
    check(cudaDeviceSynchronize());  // other streams may still use the buffers
    throw LaunchesBlock();
  }
  return us_until(stop_);
}

double GatedTimer::us_until(const Event& stop) const {
  float ms = 0;
  check(cudaEventElapsedTime(&ms, start(), stop.get()));
  return double{ms} * 1000;
}

}  // namespace trilane
