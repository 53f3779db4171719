#include "common/device/simulator/kernels/tasks.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace trilane::simulator {

namespace {

/// Returns true if every byte of a range is mapped. mincore checks that without an access, because
/// a stray pointer must not crash the process.
bool is_mapped(const Range& range) {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const std::uintptr_t begin = range.begin / page * page;
  std::vector<unsigned char> resident((range.end - begin + page - 1) / page);
  return mincore(reinterpret_cast<void*>(begin), range.end - begin, resident.data()) == 0;
}

template <typename Element>
std::function<void()> fill(void* to, unsigned value, std::size_t count) {
  return [=] { std::fill_n(static_cast<Element*>(to), count, static_cast<Element>(value)); };
}

std::function<void()> fill(void* to, unsigned value, std::size_t element_bytes, std::size_t count) {
  switch (element_bytes) {
    case 1: return fill<std::uint8_t>(to, value, count);
    case 2: return fill<std::uint16_t>(to, value, count);
    default: return fill<std::uint32_t>(to, value, count);
  }
}

}  // namespace

Place place_of(Machine& m, const Access& access, const char* task) {
  const Range range = access.span();
  if (range.begin == 0 || range.end < range.begin) refuse(cudaErrorInvalidValue);
  const auto* const begin = reinterpret_cast<const void*>(range.begin);
  const Block block = m.memory.find(begin);
  if (block.place == Place::pageable) {
    // Released or never allocated: the hazard check reports which.
    if (m.memory.is_own(begin)) m.refuse_task({.name = task, .accesses = {access}});
    require(is_mapped(range));
  } else if (range.end > block.range.end) {
    refuse(cudaErrorInvalidValue);
  }
  return block.place;
}

Task memset_task(Machine& m, void* to, unsigned value, std::size_t element_bytes,
                 std::size_t count) {
  const std::uint64_t bytes = element_bytes * count;
  const Range range = range_of(to, bytes);
  // CUDA Driver API, cuMemsetD16Async and cuMemsetD32Async: aligned to the element.
  if (count > bytes || range.begin % element_bytes != 0) refuse(cudaErrorInvalidValue);
  const Place place = place_of(m, {range, Touch::write}, "memset");
  if (place == Place::pageable) refuse(cudaErrorInvalidValue);
  std::vector<Access> accesses{{range, Touch::write}};
  const Traffic traffic = traffic_of(accesses, m.memory);
  return {.kind = Kind::memset,
          .name = fmt::format("memset of {} bytes", bytes),
          .accesses = std::move(accesses),
          .work = fill(to, value, element_bytes, count),
          .bytes = bytes,
          .traffic = traffic,
          .to = place};
}

}  // namespace trilane::simulator
