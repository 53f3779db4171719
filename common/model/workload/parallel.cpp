#include "common/model/workload/parallel.hpp"

#include "common/base/console/interrupt.hpp"

namespace trilane {

void in_parallel(std::size_t items, std::size_t least, const RangeWork& work) {
  const std::size_t each = std::max<std::size_t>(least, 1);
  const std::size_t ranges = (items + each - 1) / each;
  // Asked once, because the system opens a file to answer.
  static const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::exception_ptr error;
  // Takes ranges until none is left, or the work of one threw.
  const auto serve = [&] {
    try {
      for (std::size_t first = next.fetch_add(each); first < items; first = next.fetch_add(each)) {
        stop_if_interrupted();
        work(first, std::min(items, first + each));
      }
    } catch (...) {
      next = items;
      const std::lock_guard lock(mutex);
      if (!error) error = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> helpers;
    try {
      while (helpers.size() + 1 < std::min(cores, ranges)) helpers.emplace_back(serve);
    } catch (const std::system_error&) {
      // The threads that could be started do the work.
    }
    serve();
  }
  if (error) std::rethrow_exception(error);
}

}  // namespace trilane
