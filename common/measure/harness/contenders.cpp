#include "common/measure/harness/contenders.hpp"

#include <fmt/format.h>

#include <memory>

namespace trilane {

namespace {

Workload with(Workload workload, const PoolPolicy& policy) {
  workload.pool = policy;
  return workload;
}

/// A variant on a copy of the job that differs only in the pool policy.
class UnderPolicy : public Variant {
 public:
  UnderPolicy(const VariantEntry& entry, const Job& job, const PoolPolicy& policy)
      : job_(with(job.workload, policy), job.host_in, job.host_out, job.kernels),
        variant_(entry.make(job_)) {}

  void submit(cudaStream_t origin) override { variant_->submit(origin); }
  std::vector<Count> evidence() const override { return variant_->evidence(); }

 private:
  const Job job_;
  const std::unique_ptr<Variant> variant_;
};

VariantEntry under(const VariantEntry& entry, const NamedPolicy& named) {
  const auto plan = [entry, named](const Workload& workload) {
    return entry.plan(with(workload, named.policy));
  };
  const auto make = [entry, named](const Job& job) -> std::unique_ptr<Variant> {
    return std::make_unique<UnderPolicy>(entry, job, named.policy);
  };
  return {fmt::format("{}:{}", entry.name, named.name), entry.summary, plan, make};
}

}  // namespace

bool depends_on_policy(const VariantEntry& entry) {
  const Workload& any = presets().front();
  const PoolPolicy other{.opportunistic = !PoolPolicy{}.opportunistic};
  return entry.plan(any) != entry.plan(with(any, other));
}

std::vector<VariantEntry> contenders(const ComparisonSettings& settings) {
  std::vector<VariantEntry> all;
  for (const std::string& name : settings.variants) {
    const VariantEntry& entry = find_variant(name);
    if (settings.policies.empty() || !depends_on_policy(entry)) {
      all.push_back(entry);
      continue;
    }
    for (const NamedPolicy& named : settings.policies) all.push_back(under(entry, named));
  }
  if (settings.with_itself) {
    all.push_back(all.front());
    all.back().name += "_again";
  }
  return all;
}

}  // namespace trilane
