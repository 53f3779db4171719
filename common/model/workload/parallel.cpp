#include "common/model/workload/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "common/base/console/interrupt.hpp"

namespace trilane {

namespace {

/// Ranges that any number of threads take in turn.
class Queue {
 public:
  Queue(std::size_t items, std::size_t each, const RangeWork& work)
      : items_(items), each_(each), work_(work) {}

  /// Takes ranges until none is left, or the work of one threw.
  void serve() {
    try {
      for (std::size_t first = next_.fetch_add(each_); first < items_;
           first = next_.fetch_add(each_)) {
        stop_if_interrupted();
        work_(first, std::min(items_, first + each_));
      }
    } catch (...) {
      next_ = items_;
      const std::lock_guard lock(mutex_);
      if (!error_) error_ = std::current_exception();
    }
  }

  /// Rethrows the first exception. Call it after all threads have stopped serving.
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::size_t items_, each_;
  const RangeWork& work_;
  std::atomic<std::size_t> next_ = 0;
  std::mutex mutex_;
  std::exception_ptr error_;
};

}  // namespace

void in_parallel(std::size_t items, std::size_t least, const RangeWork& work) {
  const std::size_t each = std::max<std::size_t>(least, 1);
  const std::size_t ranges = (items + each - 1) / each;
  const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
  Queue queue(items, each, work);
  {
    std::vector<std::jthread> helpers;
    try {
      while (helpers.size() + 1 < std::min(cores, ranges)) {
        helpers.emplace_back([&queue] { queue.serve(); });
      }
    } catch (const std::system_error&) {
      // The threads that could be started do the work.
    }
    queue.serve();
  }
  queue.rethrow();
}

}  // namespace trilane
