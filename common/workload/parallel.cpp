#include "common/workload/parallel.hpp"

#include <algorithm>
#include <exception>
#include <thread>
#include <vector>

namespace trilane {

void in_parallel(std::size_t items, std::size_t least, const RangeWork& work) {
  const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
  const std::size_t ranges =
      std::clamp<std::size_t>(items / std::max<std::size_t>(least, 1), 1, cores);
  if (ranges == 1) return work(0, items);
  std::vector<std::exception_ptr> errors(ranges);
  {
    std::vector<std::jthread> threads;
    for (std::size_t range = 0; range < ranges; ++range) {
      const auto bound = [&](std::size_t at) {
        return items / ranges * at + std::min(at, items % ranges);
      };
      threads.emplace_back([&work, &errors, range, first = bound(range), last = bound(range + 1)] {
        try {
          work(first, last);
        } catch (...) {
          errors[range] = std::current_exception();
        }
      });
    }
  }
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
}

}  // namespace trilane
