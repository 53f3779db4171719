#include "common/measure/rounds/estimate.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstring>

#include "common/measure/gpu/host_buffer.hpp"
#include "common/model/workload/parallel.hpp"

namespace trilane {

std::string announced(const std::string& phase, double seconds) {
  constexpr double worth_saying = 10;
  if (!(seconds > worth_saying)) return phase;
  return fmt::format("{}, which takes about {:.0f} s", phase, seconds);
}

double host_memory_seconds(std::uint64_t bytes) {
  constexpr std::uint64_t sample = 256 << 20;
  if (bytes < large_host_buffer) return 0;
  const auto start = std::chrono::steady_clock::now();
  const HostBuffer memory = make_host_buffer(sample, HostMemory::pageable);
  in_parallel(sample, 4 << 20, [&](std::size_t first, std::size_t last) {
    std::memset(memory.get() + first, 0, last - first);
  });
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  // Filling memory is half of the work: pinning walks over all of its pages, and the input is
  // drawn.
  return 2 * taken.count() * static_cast<double>(bytes) / static_cast<double>(sample);
}

}  // namespace trilane
