#include "common/device/simulator/machine/host_function.hpp"

#include <chrono>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

namespace trilane::simulator {

namespace {

/// Shared by the thread and its waiter, because the thread may outlive the wait.
struct Run {
  std::mutex mutex;
  std::vector<std::string> calls;
};

thread_local Run* current = nullptr;

}  // namespace

HostFunctionEnd run_host_function(std::function<void()> function, double patience_s) {
  const auto shared = std::make_shared<Run>();
  std::packaged_task<void()> task([shared, function = std::move(function)]() noexcept {
    current = shared.get();
    function();
  });
  const std::future<void> end = task.get_future();
  std::thread thread(std::move(task));
  const auto status = end.wait_for(std::chrono::duration<double>(patience_s));
  const bool returned = status == std::future_status::ready;
  returned ? thread.join() : thread.detach();
  const std::lock_guard lock(shared->mutex);
  return {returned, shared->calls};
}

bool in_host_function() { return current != nullptr; }

cudaError_t refuse_in_host_function(const char* name) {
  const std::lock_guard lock(current->mutex);
  current->calls.emplace_back(name);
  return cudaErrorNotPermitted;
}

}  // namespace trilane::simulator
