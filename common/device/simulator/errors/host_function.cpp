#include "common/device/simulator/errors/host_function.hpp"

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

namespace trilane::simulator {

namespace {

/// Shared by the thread and its waiter: the thread may outlive the wait.
struct Run {
  std::mutex mutex;
  std::condition_variable returned;
  HostFunctionEnd end;
};

thread_local Run* current = nullptr;

void run(const std::shared_ptr<Run>& shared, const std::function<void()>& function) {
  current = shared.get();
  function();
  const std::lock_guard lock(shared->mutex);
  shared->end.returned = true;
  shared->returned.notify_all();
}

}  // namespace

HostFunctionEnd run_host_function(std::function<void()> function, double patience_s) {
  const auto shared = std::make_shared<Run>();
  std::thread thread([shared, function = std::move(function)] { run(shared, function); });
  std::unique_lock lock(shared->mutex);
  const bool returned = shared->returned.wait_for(lock, std::chrono::duration<double>(patience_s),
                                                  [&] { return shared->end.returned; });
  HostFunctionEnd end = shared->end;
  lock.unlock();
  if (returned) {
    thread.join();
  } else {
    thread.detach();
  }
  return end;
}

bool in_host_function() { return current != nullptr; }

cudaError_t refuse_in_host_function(const char* name) {
  const std::lock_guard lock(current->mutex);
  current->end.calls.emplace_back(name);
  return cudaErrorNotPermitted;
}

}  // namespace trilane::simulator
