#include "common/application/replay/replayed_call.hpp"

namespace trilane {

namespace {

/// Returns the width of a row: a contiguous copy is one row.
std::uint64_t width_of(const ReplayedCall& call) { return call.bytes / call.height; }

std::uint64_t pitch_or_width(std::uint64_t pitch, const ReplayedCall& call) {
  return pitch == 0 ? width_of(call) : pitch;
}

/// The map counts from 1.
std::uint32_t number_of(const MemoryBlock& allocation) {
  return static_cast<std::uint32_t>(allocation.number - 1);
}

void add(const CUlaunchAttribute& attribute, LaunchAttributes& to) {
  const CUlaunchAttributeValue& value = attribute.value;
  switch (attribute.id) {
    case CU_LAUNCH_ATTRIBUTE_COOPERATIVE: to.cooperative = value.cooperative != 0; return;
    case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION:
      to.programmatic = value.programmaticStreamSerializationAllowed != 0;
      return;
    case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
      if (value.clusterDim.x * value.clusterDim.y * value.clusterDim.z == 0) return;
      to.cluster = {value.clusterDim.x, value.clusterDim.y, value.clusterDim.z};
      return;
    case CU_LAUNCH_ATTRIBUTE_PRIORITY: to.priority = value.priority; return;
    default: break;
  }
  const AttributeKept kept = kept_by_capture(attribute.id);
  if (kept == AttributeKept::in_node) ++to.others;
  if (kept == AttributeKept::unknown) ++to.unknown;
}

}  // namespace

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
  const std::uint64_t rows = copy.height / copy.depth;
  block.srcHeight = std::max(copy.source_rows, rows);
  block.dstMemoryType = plane.dstMemoryType;
  block.dstDevice = plane.dstDevice;
  block.dstPitch = plane.dstPitch;
  block.dstHeight = std::max(copy.destination_rows, rows);
  block.WidthInBytes = plane.WidthInBytes;
  block.Height = rows;
  block.Depth = copy.depth;
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
  live_.allocated(MemoryKind::device, address, bytes);
  bytes_.push_back(bytes);
  return static_cast<std::uint32_t>(bytes_.size() - 1);
}

std::optional<std::uint32_t> ReplayedAllocations::remove(std::uint64_t address) {
  const auto block = live_.freed(address);
  return block ? std::optional(number_of(*block)) : std::nullopt;
}

std::optional<MovingAddress> ReplayedAllocations::find(std::uint64_t address) const {
  const MemoryBlock* block = live_.find(address);
  if (block == nullptr && others_.find(address) == nullptr) block = live_.find(address - 1);
  if (block == nullptr) return std::nullopt;
  return MovingAddress{number_of(*block), address - block->base};
}

AttributeKept kept_by_capture(CUlaunchAttributeID id) {
  switch (id) {
    case CU_LAUNCH_ATTRIBUTE_IGNORE:
    case CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY: return AttributeKept::nowhere;
    case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
    case CU_LAUNCH_ATTRIBUTE_COOPERATIVE:
    case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
    case CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
    case CU_LAUNCH_ATTRIBUTE_PRIORITY:
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
    case CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION:
    case CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
    case CU_LAUNCH_ATTRIBUTE_NVLINK_UTIL_CENTRIC_SCHEDULING: return AttributeKept::in_node;
    case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION: return AttributeKept::in_edge;
    case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT:
    case CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT: return AttributeKept::as_event;
    default: return AttributeKept::unknown;  // the header of another toolkit may have more
  }
}

LaunchAttributes in_recording(std::span<const CUlaunchAttribute> attributes) {
  LaunchAttributes all;
  for (const CUlaunchAttribute& attribute : attributes) add(attribute, all);
  return all;
}

}  // namespace trilane
