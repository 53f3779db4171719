#include "common/model/variant/variant.hpp"

namespace trilane {
namespace {

Workload with(Workload workload, const PoolPolicy& policy) {
  workload.pool = policy;
  return workload;
}

class UnderPolicy : public Variant {
 public:
  UnderPolicy(const VariantEntry& entry, const Job& job, const PoolPolicy& policy)
      : job_(with(job.workload, policy), job.host_in, job.host_out, job.kernels),
        variant_(entry.make(job_)) {}

  void submit(cudaStream_t origin) override { variant_->submit(origin); }
  Facts evidence() const override { return variant_->evidence(); }

 private:
  const Job job_;
  const std::unique_ptr<Variant> variant_;
};

}  // namespace

VariantEntry under(const VariantEntry& entry, const PoolPolicy& policy, std::string name,
                   std::string summary) {
  const auto plan = [entry, policy](const Workload& workload) {
    return entry.plan(with(workload, policy));
  };
  const auto make = [entry, policy](const Job& job) -> std::unique_ptr<Variant> {
    return std::make_unique<UnderPolicy>(entry, job, policy);
  };
  return {std::move(name), std::move(summary), plan, make};
}

std::vector<VariantEntry>& registry() {
  static std::vector<VariantEntry> entries;
  return entries;
}

const VariantEntry& find_variant(const std::string& name) {
  const auto found = std::ranges::find(registry(), name, &VariantEntry::name);
  if (found == registry().end()) throw std::out_of_range("no variant is called " + name);
  return *found;
}

std::vector<std::string> names_of_tier(Tier tier) {
  std::vector<std::string> names;
  for (const VariantEntry& entry : registry()) {
    // The mover does not depend on the workload.
    if (tier_of(entry.plan(presets().front()).model) == tier) names.push_back(entry.name);
  }
  return names;
}

}  // namespace trilane
