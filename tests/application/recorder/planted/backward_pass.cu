// A loop whose backward pass is issued by a second host thread, fed by a queue, as PyTorch does.
// With "needed" it makes another number of calls each time, so no common order is kept.
#include <condition_variable>
#include <functional>
#include <mutex>
#include <queue>
#include <string_view>
#include <thread>

#include "planted_app.hpp"

namespace {

/// Runs tasks in a thread of its own, one after the other.
class Worker {
 public:
  ~Worker() {
    run([this] { ends_ = true; });
    thread_.join();
  }
  /// Returns when the task is done.
  void run(std::function<void()> task) {
    std::unique_lock lock(mutex_);
    tasks_.push(std::move(task));
    ++left_;
    changed_.notify_all();
    changed_.wait(lock, [this] { return left_ == 0; });
  }

 private:
  void work() {
    std::unique_lock lock(mutex_);
    while (!ends_) {
      changed_.wait(lock, [this] { return !tasks_.empty(); });
      tasks_.front()();
      tasks_.pop();
      --left_;
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::queue<std::function<void()>> tasks_;
  int left_ = 0;
  bool ends_ = false;
  std::thread thread_{[this] { work(); }};
};

}  // namespace

int main(int argc, char** argv) {
  const bool needed = argc > 2 && std::string_view(argv[2]) == "needed";
  std::uint32_t *in = pinned(), *out = pinned(), *weights = on_device(), *values = on_device(),
                *gradients = on_device(), *spare = on_device();
  cudaStream_t stream = new_stream(), other = new_stream();
  fill(in, 3);
  Checksum checksum;
  Worker worker;
  for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(iterations(argc, argv)); ++i) {
    CHECK(cudaMemcpyAsync(values, in, bytes, cudaMemcpyHostToDevice, stream));
    launch_mix(values, gradients, stream);
    worker.run([&] {
      const std::uint32_t sets = needed ? i * 2654435761u >> 29 : 0;
      for (std::uint32_t k = 0; k < sets; ++k) CHECK(cudaMemsetAsync(spare, 7, bytes, other));
      if (needed) return;
      launch_mix(gradients, values, stream, 13);
      launch_mix(values, gradients, stream, 17);
    });
    launch_mix(gradients, weights, stream, 19);
    CHECK(cudaMemcpyAsync(out, weights, bytes, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    if (needed) CHECK(cudaStreamSynchronize(other));
    checksum.add(out, 16);
  }
  checksum.print();
}
