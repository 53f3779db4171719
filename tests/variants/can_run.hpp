// Decides which variants can run on a workload.
#pragma once

#include "common/measure/gpu/runtime/device.hpp"
#include "common/measure/harness/compare_variants.hpp"
#include "common/model/variant/variant.hpp"

namespace trilane {

/// Decides as a comparison does: whether the device has what the variant needs, and its kernel does
/// such a workload.
inline bool can_run(const VariantEntry& entry, const Workload& workload) {
  const Plan plan = entry.plan(workload);
  const Device device = open_device(0);
  if (plan.needs_pools && !device.memory_pools) return false;
  if (!why_not_early(plan.model, workload, device).empty()) return false;
  return why_not_fused(plan.model, workload).empty();
}

}  // namespace trilane
