#include "common/device/simulator/kernels/tasks.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "common/device/simulator/machine/not_modelled.hpp"

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

void require_modelled(bool modelled, const char* what) {
  if (!modelled) refuse_not_modelled(what);
}

TaskPtr shared(Task task) { return std::make_shared<const Task>(std::move(task)); }

void* address_of(const cudaPitchedPtr& memory, const cudaPos& position) {
  return static_cast<std::byte*>(memory.ptr) + position.x +
         memory.pitch * (position.y + memory.ysize * position.z);
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

TaskPtr kernel_node_task(const Machine& m, const cudaKernelNodeParams* parameters) {
  require(parameters != nullptr);
  const auto& [function, grid, block, shared_bytes, arguments, extra] = *parameters;
  require(arguments == nullptr || extra == nullptr);
  require_modelled(extra == nullptr, "kernel parameters in one buffer (extra)");
  return shared(
      kernel_task(m, function, grid, block, shared_bytes, arguments, cudaErrorInvalidValue));
}

// "Zero-length operations are not supported", by the functions that set parameters.
TaskPtr copy_node_task(Machine& m, void* to, const void* from, std::size_t bytes,
                       cudaMemcpyKind kind) {
  require(bytes > 0);
  return shared(task_of(look_at(m, to, from, {bytes}, kind)));
}

TaskPtr copy_node_task(Machine& m, const cudaMemcpy3DParms* parameters) {
  require(parameters != nullptr);
  const cudaMemcpy3DParms& copy = *parameters;
  // CUDA Runtime API, Memory Management, cudaMemcpy3D: exactly one of the two at either end.
  require((copy.srcArray == nullptr) != (copy.srcPtr.ptr == nullptr));
  require((copy.dstArray == nullptr) != (copy.dstPtr.ptr == nullptr));
  require_modelled(copy.srcArray == nullptr && copy.dstArray == nullptr, "a copy of an array");
  const auto& [width, height, depth] = copy.extent;
  require_modelled(depth <= 1, "a copy of more than two dimensions");
  require(width > 0 && height > 0 && depth == 1);
  const Rows rows{width, height, copy.dstPtr.pitch, copy.srcPtr.pitch};
  require(height == 1 || (width <= rows.to_pitch && width <= rows.from_pitch));
  return shared(task_of(look_at(m, address_of(copy.dstPtr, copy.dstPos),
                                address_of(copy.srcPtr, copy.srcPos), rows, copy.kind)));
}

TaskPtr memset_node_task(Machine& m, const cudaMemsetParams* parameters) {
  require(parameters != nullptr);
  const cudaMemsetParams& memset = *parameters;
  const unsigned bytes = memset.elementSize;
  require(bytes == 1 || bytes == 2 || bytes == 4);
  require(memset.width > 0 && memset.height > 0);
  require_modelled(memset.height == 1, "a memset of more than one dimension");
  return shared(memset_task(m, memset.dst, memset.value, bytes, memset.width));
}

}  // namespace trilane::simulator
