#include "common/device/simulator/kernels/tasks.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include "common/device/simulator/kernels/host_kernel.hpp"

namespace trilane::simulator {

namespace {

/// Returns true if every byte of a range is mapped. mincore checks that without an access.
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

TaskPtr shared(Task task) { return std::make_shared<const Task>(std::move(task)); }

void* address_of(const cudaPitchedPtr& memory, const cudaPos& position) {
  return static_cast<std::byte*>(memory.ptr) + position.x +
         memory.pitch * (position.y + memory.ysize * position.z);
}

/// Checks the direction of a copy. Pinned memory has a device address, and counts as both.
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

void check_extent(const void* begin, const Rows& rows, std::size_t pitch) {
  if (rows.count == 1) return;
  const std::uintptr_t left = UINTPTR_MAX - reinterpret_cast<std::uintptr_t>(begin);
  require(rows.count <= left / std::max(pitch, rows.bytes));
}

/// Returns an access to rows. Those without gaps are one range.
Access rows_at(const void* begin, std::size_t bytes, std::size_t rows, std::size_t pitch,
               Touch touch) {
  if (rows == 1 || pitch == bytes) return {range_of(begin, rows * bytes), touch};
  return {range_of(begin, bytes), touch, rows, pitch};
}

Access read_of(const Copy& copy) {
  return rows_at(copy.from, copy.rows.bytes, copy.rows.count, copy.rows.from_pitch, Touch::read);
}

Access write_of(const Copy& copy) {
  return rows_at(copy.to, copy.rows.bytes, copy.rows.count, copy.rows.to_pitch, Touch::write);
}

std::string name_of(const Copy& copy) {
  const char* const direction = copy.kind() == Kind::copy_in    ? " in"
                                : copy.kind() == Kind::copy_out ? " out"
                                                                : "";
  const auto& rows = copy.rows;
  if (rows.count == 1) return fmt::format("copy{} of {} bytes", direction, rows.bytes);
  return fmt::format("copy{} of {} rows of {} bytes", direction, rows.count, rows.bytes);
}

/// Returns the device of device memory, and the current one for host memory.
int device_of(Machine& m, const void* memory, Place place) {
  return is_on_device(place) ? m.memory.find(memory).device : m.gpu().number;
}

bool is_within(dim3 size, dim3 most) {
  return size.x >= 1 && size.x <= most.x && size.y >= 1 && size.y <= most.y && size.z >= 1 &&
         size.z <= most.z;
}

/// Checks grid, block and shared memory (CUDA Programming Guide, "Technical Specifications").
void check_configuration(dim3 grid, dim3 block, std::size_t shared_bytes, cudaError_t wrong) {
  const bool right = is_within(grid, {2147483647u, 65535u, 65535u}) &&
                     is_within(block, {1024u, 1024u, 64u}) && block.x * block.y * block.z <= 1024;
  if (!right) refuse(wrong);
  if (shared_bytes > 49152) refuse(cudaErrorInvalidValue);  // more needs cudaFuncSetAttribute
}

/// Returns the threads, as a multiple of those that fit on the SMs.
double fill_of(dim3 grid, dim3 block, int multiprocessors) {
  const double threads = double{1} * grid.x * grid.y * grid.z * block.x * block.y * block.z;
  return threads / (threads_of_sm * multiprocessors);
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
          .device = device_of(m, to, place),
          .name = fmt::format("memset of {} bytes", bytes),
          .accesses = std::move(accesses),
          .work = fill(to, value, element_bytes, count),
          .bytes = bytes,
          .traffic = traffic,
          .to = place};
}

TaskPtr kernel_node_task(Machine& m, const cudaKernelNodeParams* parameters) {
  require(parameters != nullptr);
  const auto& [function, grid, block, shared_bytes, arguments, extra] = *parameters;
  require(arguments == nullptr || extra == nullptr);
  if (extra != nullptr) refuse_not_modelled("kernel parameters in one buffer (extra)");
  return shared(
      kernel_task(m, function, grid, block, shared_bytes, arguments, cudaErrorInvalidValue));
}

// "Zero-length operations are not supported", by the functions that set parameters.
TaskPtr copy_node_task(Machine& m, void* to, const void* from, std::size_t bytes,
                       cudaMemcpyKind kind) {
  require(bytes > 0);
  return shared(task_of(m, look_at(m, to, from, {bytes}, kind)));
}

TaskPtr copy_node_task(Machine& m, const cudaMemcpy3DParms* parameters) {
  require(parameters != nullptr);
  const cudaMemcpy3DParms& copy = *parameters;
  // CUDA Runtime API, Memory Management, cudaMemcpy3D: exactly one of the two at either end.
  require((copy.srcArray == nullptr) != (copy.srcPtr.ptr == nullptr));
  require((copy.dstArray == nullptr) != (copy.dstPtr.ptr == nullptr));
  const bool has_array = copy.srcArray != nullptr || copy.dstArray != nullptr;
  if (has_array) refuse_not_modelled("a copy of an array");
  const auto& [width, height, depth] = copy.extent;
  if (depth > 1) refuse_not_modelled("a copy of more than two dimensions");
  require(width > 0 && height > 0 && depth == 1);
  const Rows rows{width, height, copy.dstPtr.pitch, copy.srcPtr.pitch};
  require(height == 1 || (width <= rows.to_pitch && width <= rows.from_pitch));
  return shared(task_of(m, look_at(m, address_of(copy.dstPtr, copy.dstPos),
                                   address_of(copy.srcPtr, copy.srcPos), rows, copy.kind)));
}

TaskPtr memset_node_task(Machine& m, const cudaMemsetParams* parameters) {
  require(parameters != nullptr);
  const cudaMemsetParams& memset = *parameters;
  const unsigned bytes = memset.elementSize;
  require(bytes == 1 || bytes == 2 || bytes == 4);
  require(memset.width > 0 && memset.height > 0);
  if (memset.height != 1) refuse_not_modelled("a memset of more than one dimension");
  return shared(memset_task(m, memset.dst, memset.value, bytes, memset.width));
}

Kind Copy::kind() const {
  if (is_on_device(to_place) == is_on_device(from_place)) return Kind::copy_within;
  return is_on_device(to_place) ? Kind::copy_in : Kind::copy_out;
}

Copy look_at(Machine& m, void* to, const void* from, const Rows& rows, cudaMemcpyKind kind) {
  check_extent(to, rows, rows.to_pitch);
  check_extent(from, rows, rows.from_pitch);
  Copy copy{to, from, rows};
  copy.to_place = place_of(m, write_of(copy), "copy");
  copy.from_place = place_of(m, read_of(copy), "copy");
  copy.to_device = device_of(m, to, copy.to_place);
  copy.from_device = device_of(m, from, copy.from_place);
  check_direction(copy, kind);
  return copy;
}

Task task_of(const Machine& m, const Copy& copy) {
  const int device = is_on_device(copy.from_place) ? copy.from_device : copy.to_device;
  const auto can_access = [&m](int one, int peer) {
    return m.gpus[static_cast<std::size_t>(one)].peers.contains(peer);
  };
  return {.kind = copy.kind(),
          .device = device,
          .to_device = is_on_device(copy.to_place) ? copy.to_device : device,
          .staged = copy.between_devices() && !can_access(copy.from_device, copy.to_device) &&
                    !can_access(copy.to_device, copy.from_device),
          .name = name_of(copy),
          .accesses = {read_of(copy), write_of(copy)},
          .work = [copy] { move(copy); },
          .bytes = copy.rows.all_bytes(),
          .rows = copy.rows.count,
          .pageable = copy.to_place == Place::pageable || copy.from_place == Place::pageable,
          .from = copy.from_place,
          .to = copy.to_place};
}

void move(const Copy& copy) {
  auto* to = static_cast<std::byte*>(copy.to);
  const auto* from = static_cast<const std::byte*>(copy.from);
  for (std::size_t row = 0; row < copy.rows.count; ++row) {
    std::memmove(to, from, copy.rows.bytes);
    to += copy.rows.to_pitch;
    from += copy.rows.from_pitch;
  }
}

Task kernel_task(Machine& m, const void* function, dim3 grid, dim3 block, std::size_t shared_bytes,
                 void** arguments, cudaError_t wrong) {
  const HostKernel& kernel = kernel_of(function);
  check_configuration(grid, block, shared_bytes, wrong);
  require(arguments != nullptr);
  HostLaunch launch = kernel.describe(grid, block, arguments);
  const Traffic traffic = traffic_of(launch.accesses, m.memory);
  return {.kind = Kind::kernel,
          .device = m.gpu().number,
          .name = kernel.name,
          .accesses = std::move(launch.accesses),
          .work = std::move(launch.work),
          .kernel = launch.size,
          .declared_us = launch.declared_us,
          .fill = fill_of(grid, block, m.settings.profile.multiprocessors),
          .traffic = traffic};
}

Traffic traffic_of(const std::vector<Access>& accesses, const Memory& memory) {
  Traffic traffic;
  for (const Access& access : accesses) {
    const bool reads = access.touch != Touch::write, writes = access.touch != Touch::read;
    const Block block = memory.find(reinterpret_cast<const void*>(access.range.begin));
    const bool on_device = is_on_device(block.place);
    if (reads) (on_device ? traffic.device : traffic.in) += access.bytes();
    if (writes) (on_device ? traffic.device : traffic.out) += access.bytes();
  }
  return traffic;
}

}  // namespace trilane::simulator
