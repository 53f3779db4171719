#include "common/measure/gpu/runtime/gate.hpp"

#include <cuda_runtime_api.h>

#include <chrono>
#include <condition_variable>
#include <mutex>

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

}  // namespace trilane
