#include "common/measure/gpu/runtime/gated_timer.hpp"

#include "common/measure/gpu/runtime/gate.hpp"

namespace trilane {

LaunchesBlock::LaunchesBlock()
    : NotPossible("launches wait for the device here (CUDA_LAUNCH_BLOCKING or a sanitizer)") {}

double elapsed_us(const Event& first, const Event& last) {
  float ms = 0;
  check(cudaEventElapsedTime(&ms, first.get(), last.get()));
  return double{ms} * 1000;
}

double GatedTimer::time_us(cudaStream_t stream, const std::function<void()>& enqueue) const {
  constexpr double patience_s = 1;  // enqueuing takes milliseconds
  Gate gate(patience_s);
  gate.close(stream);
  check(cudaEventRecord(start_.get(), stream));
  enqueue();
  check(cudaEventRecord(stop_.get(), stream));
  const bool held = gate.open();
  check(cudaStreamSynchronize(stream));
  if (!held) {
    check(cudaDeviceSynchronize());  // other streams may still use the caller's memory
    throw LaunchesBlock();
  }
  return elapsed_us(start_, stop_);
}

}  // namespace trilane
