#include "common/application/replay/iteration/replayed_call.hpp"

#include <cstring>
#include <iterator>
#include <stdexcept>

namespace trilane {

namespace {

CUdeviceptr address_of(const MovingAddress& moving, const Allocations& allocations) {
  return allocations[moving.allocation] + moving.offset;
}

/// Returns the width of a row: a contiguous copy is one row.
std::uint64_t width_of(const ReplayedCall& call) { return call.bytes / call.height; }

std::uint64_t pitch_or_width(std::uint64_t pitch, const ReplayedCall& call) {
  return pitch == 0 ? width_of(call) : pitch;
}

}  // namespace

StreamOperation operation_of(const ReplayedCall& call) {
  const auto operation =
      traits_of(call.kind == CallKind::change_graph ? call.changed : call.kind).operation;
  if (operation) return *operation;
  throw std::logic_error("only kernels, copies, memsets and graphs are operations");
}

std::span<ReplayedCall> operations_of(ReplayedCall& call) {
  return call.copies.empty() ? std::span(&call, 1) : std::span(call.copies);
}

void settle(ReplayedCall& call, const Allocations& allocations) {
  for (ReplayedCall& copy : call.copies) settle(copy, allocations);
  if (call.moving_destination) call.destination = address_of(*call.moving_destination, allocations);
  if (call.moving_source) call.source = address_of(*call.moving_source, allocations);
  for (const MovingArgument& argument : call.moving) {
    const CUdeviceptr address = address_of(argument.address, allocations);
    std::memcpy(call.arguments.data() + argument.at, &address, sizeof address);
  }
}

Parameters parameters_of(ReplayedCall& call) {
  Parameters parameters;
  for (const std::size_t at : call.parameters) parameters.push_back(call.arguments.data() + at);
  return parameters;
}

CUDA_MEMCPY2D plane_of(const ReplayedCall& copy) {
  CUDA_MEMCPY2D plane{};
  plane.srcMemoryType = CU_MEMORYTYPE_UNIFIED;
  plane.srcDevice = copy.source;
  plane.srcPitch = pitch_or_width(copy.source_pitch, copy);
  plane.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
  plane.dstDevice = copy.destination;
  plane.dstPitch = pitch_or_width(copy.destination_pitch, copy);
  plane.WidthInBytes = width_of(copy);
  plane.Height = copy.height;
  return plane;
}

CUDA_MEMCPY3D block_of(const ReplayedCall& copy) {
  const CUDA_MEMCPY2D plane = plane_of(copy);
  CUDA_MEMCPY3D block{};
  block.srcMemoryType = plane.srcMemoryType;
  block.srcDevice = plane.srcDevice;
  block.srcPitch = plane.srcPitch;
  block.srcHeight = plane.Height;
  block.dstMemoryType = plane.dstMemoryType;
  block.dstDevice = plane.dstDevice;
  block.dstPitch = plane.dstPitch;
  block.dstHeight = plane.Height;
  block.WidthInBytes = plane.WidthInBytes;
  block.Height = plane.Height;
  block.Depth = 1;
  return block;
}

CUDA_MEMSET_NODE_PARAMS memset_of(const ReplayedCall& memset) {
  CUDA_MEMSET_NODE_PARAMS node{};
  node.dst = memset.destination;
  node.pitch = pitch_or_width(memset.destination_pitch, memset);
  node.value = memset.value;
  node.elementSize = memset.value_bytes;
  node.width = width_of(memset) / memset.value_bytes;
  node.height = memset.height;
  return node;
}

std::uint32_t ReplayedAllocations::add(std::uint64_t address, std::uint64_t bytes) {
  const auto number = static_cast<std::uint32_t>(bytes_.size());
  live_[address] = number;
  bytes_.push_back(bytes);
  return number;
}

std::optional<std::uint32_t> ReplayedAllocations::remove(std::uint64_t address) {
  const auto found = live_.find(address);
  if (found == live_.end()) return std::nullopt;
  const std::uint32_t number = found->second;
  live_.erase(found);
  return number;
}

std::optional<MovingAddress> ReplayedAllocations::find(std::uint64_t address) const {
  const auto next = live_.upper_bound(address);
  if (next == live_.begin()) return std::nullopt;
  const auto& [base, number] = *std::prev(next);
  const std::uint64_t offset = address - base;
  const bool behind = offset == bytes_[number] && others_.find(address) == nullptr;
  if (offset >= bytes_[number] && !behind) return std::nullopt;
  return MovingAddress{number, offset};
}

bool ReplayedAllocations::any_in(std::span<const std::byte> bytes) const {
  if (live_.empty()) return false;
  const std::uint64_t least = live_.begin()->first;
  const std::uint64_t most = live_.rbegin()->first + bytes_[live_.rbegin()->second];
  for (std::size_t at = 0; at + sizeof least <= bytes.size(); at += sizeof least) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, sizeof word);
    if (word >= least && word <= most && find(word)) return true;
  }
  return false;
}

}  // namespace trilane
