#include "common/device/simulator/tasks/tasks.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

namespace trilane::simulator {

namespace {

/// Whether every byte of a range is mapped. mincore checks that without an access, because a stray
/// pointer must not crash the process.
bool is_mapped(const Range& range) {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const std::uintptr_t begin = range.begin / page * page;
  std::vector<unsigned char> resident((range.end - begin + page - 1) / page);
  return mincore(reinterpret_cast<void*>(begin), range.end - begin, resident.data()) == 0;
}

/// The place of the memory at `range`, all of which must exist.
Place place_of(Machine& m, const Range& range, Touch touch, const char* call) {
  if (range.begin == 0 || range.end < range.begin) refuse(cudaErrorInvalidValue);
  const auto* const begin = reinterpret_cast<const void*>(range.begin);
  const Block block = m.memory.find(begin);
  if (block.place == Place::pageable) {
    // Released or never allocated: the hazard check reports which.
    if (m.memory.is_own(begin)) m.refuse_task({.name = call, .accesses = {{range, touch}}});
    require(is_mapped(range));
  } else if (range.end > block.range.end) {
    refuse(cudaErrorInvalidValue);
  }
  return block.place;
}

/// Pinned memory has an address on the device too, so it counts as host and as device memory.
void check_direction(const Copy& copy, cudaMemcpyKind kind) {
  const bool host_to = !is_on_device(copy.to_place), host_from = !is_on_device(copy.from_place);
  const bool device_to = copy.to_place != Place::pageable;
  const bool device_from = copy.from_place != Place::pageable;
  switch (kind) {
    case cudaMemcpyHostToHost: return require(host_from && host_to);
    case cudaMemcpyHostToDevice: return require(host_from && device_to);
    case cudaMemcpyDeviceToHost: return require(device_from && host_to);
    case cudaMemcpyDeviceToDevice: return require(device_from && device_to);
    case cudaMemcpyDefault: return;
  }
  refuse(cudaErrorInvalidMemcpyDirection);
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

Kind Copy::kind() const {
  if (is_on_device(to_place) == is_on_device(from_place)) return Kind::copy_within;
  return is_on_device(to_place) ? Kind::copy_in : Kind::copy_out;
}

Copy look_at(Machine& m, void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  const Copy copy{to, from, bytes, place_of(m, range_of(to, bytes), Touch::write, "copy"),
                  place_of(m, range_of(from, bytes), Touch::read, "copy")};
  check_direction(copy, kind);
  return copy;
}

Task task_of(const Copy& copy) {
  const char* const direction = copy.kind() == Kind::copy_in    ? " in"
                                : copy.kind() == Kind::copy_out ? " out"
                                                                : "";
  return {.kind = copy.kind(),
          .name = fmt::format("copy{} of {} bytes", direction, copy.bytes),
          .accesses = {{range_of(copy.from, copy.bytes), Touch::read},
                       {range_of(copy.to, copy.bytes), Touch::write}},
          .work = [copy] { std::memmove(copy.to, copy.from, copy.bytes); },
          .bytes = copy.bytes,
          .pageable = copy.to_place == Place::pageable || copy.from_place == Place::pageable,
          .from = copy.from_place,
          .to = copy.to_place};
}

Task memset_task(Machine& m, void* to, unsigned value, std::size_t element_bytes,
                 std::size_t count) {
  const std::uint64_t bytes = element_bytes * count;
  const Range range = range_of(to, bytes);
  // CUDA Driver API, cuMemsetD16Async and cuMemsetD32Async: aligned to the element.
  if (count > bytes || range.begin % element_bytes != 0) refuse(cudaErrorInvalidValue);
  const Place place = place_of(m, range, Touch::write, "memset");
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
