#include "common/measure/gpu/runtime/gated_timer.hpp"

#include <cuda_runtime_api.h>

#include "common/measure/gpu/runtime/check.hpp"

namespace trilane {

struct Gate::State {
  std::chrono::duration<double> patience;
  std::mutex mutex{};
  std::condition_variable opened{};
  bool open = false, timed_out = false;

  static void wait(void* shared) {
    const std::unique_ptr<std::shared_ptr<State>> owner(
        static_cast<std::shared_ptr<State>*>(shared));
    State& state = **owner;
    std::unique_lock lock(state.mutex);
    state.timed_out = !state.opened.wait_for(lock, state.patience, [&] { return state.open; });
  }
};

Gate::Gate(double patience_s)
    : state_(new State{.patience = std::chrono::duration<double>(patience_s)}) {}

Gate::~Gate() { open(); }

void Gate::close(cudaStream_t stream) {
  auto shared = std::make_unique<std::shared_ptr<State>>(state_);
  check(cudaLaunchHostFunc(stream, State::wait, shared.get()));
  shared.release();  // State::wait owns it from here on
}

bool Gate::open() {
  const std::lock_guard lock(state_->mutex);
  state_->open = true;
  state_->opened.notify_all();
  return !state_->timed_out;
}

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
