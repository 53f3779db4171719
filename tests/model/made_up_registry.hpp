// A registry of two fake variants.
#pragma once

#include "common/model/variant/lane_plan.hpp"
#include "common/model/variant/variant.hpp"
#include "tests/framework.hpp"

namespace trilane {

/// Its evidence is what its job says; it checks only when asked, because a job must outlive its
/// variant.
class Witness : public Variant {
 public:
  explicit Witness(const Job& job) : job_(job) {}
  void submit(cudaStream_t) override { ++submits_; }
  std::vector<Count> evidence() const override {
    const PoolPolicy& pool = job_.workload.pool;
    return {{"threshold", pool.threshold},
            {"allocations", pool.allocations},
            {"chunks", job_.workload.chunks()},
            {"submits", submits_}};
  }

 private:
  const Job& job_;
  std::uint64_t submits_ = 0;
};

inline Plan pooled_plan(const Workload& workload) {
  return with_pool(lanes_plan(workload), workload, workload.pool);
}

/// The registry contains "plain" and "pooled" while an instance exists.
struct MadeUpRegistry {
  std::vector<VariantEntry> kept = std::exchange(registry(), {});
  MadeUpRegistry() {
    const Registered<Witness> plain("plain", "no pool", lanes_plan);
    const Registered<Witness> pooled("pooled", "memory from a pool", pooled_plan);
  }
  ~MadeUpRegistry() { registry() = std::move(kept); }
};

}  // namespace trilane
