#include "common/model/workload/steps/allocations.hpp"

namespace trilane {

std::uint32_t allocations_per_chunk(const Layout& layout, const PoolPolicy& policy) {
  const bool both = layout.split > 0 && layout.split < layout.scratch_bytes;
  return both ? policy.allocations : 1;
}

std::uint64_t allocations_of_pass(const Workload& workload, const PoolPolicy& policy) {
  const Layout layout = layout_of(workload);
  return std::uint64_t{layout.chunks} * allocations_per_chunk(layout, policy);
}

}  // namespace trilane
