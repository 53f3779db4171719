#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

#include "common/device/simulator/kernels/tasks.hpp"

namespace trilane::simulator {

namespace {

/// Checks the direction of a copy. Pinned memory also has a device address, so it counts as host
/// and as device memory.
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

/// Refuses rows beyond the last address.
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

}  // namespace

Kind Copy::kind() const {
  if (is_on_device(to_place) == is_on_device(from_place)) return Kind::copy_within;
  return is_on_device(to_place) ? Kind::copy_in : Kind::copy_out;
}

Copy look_at(Machine& m, void* to, const void* from, const Rows& rows, cudaMemcpyKind kind) {
  check_extent(to, rows, rows.to_pitch);
  check_extent(from, rows, rows.from_pitch);
  Copy copy{to, from, rows, Place::pageable, Place::pageable};
  copy.to_place = place_of(m, write_of(copy), "copy");
  copy.from_place = place_of(m, read_of(copy), "copy");
  check_direction(copy, kind);
  return copy;
}

Task task_of(const Copy& copy) {
  return {.kind = copy.kind(),
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

}  // namespace trilane::simulator
