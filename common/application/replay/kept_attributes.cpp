#include "common/application/replay/kept_attributes.hpp"

namespace trilane {

namespace {

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
