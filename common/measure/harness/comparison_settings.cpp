#include "common/measure/harness/comparison_settings.hpp"

#include "common/measure/gpu/each_gpu.hpp"

namespace trilane {

bool depends_on_policy(const VariantEntry& entry) {
  const Workload& any = presets().front();
  Workload other = any;
  other.pool.opportunistic = !other.pool.opportunistic;
  return entry.plan(any) != entry.plan(other);
}

std::vector<VariantEntry> contenders(const ComparisonSettings& settings) {
  std::vector<VariantEntry> all;
  for (const std::string& name : settings.variants) {
    const VariantEntry& entry = find_variant(name);
    if (settings.policies.empty() || !depends_on_policy(entry)) {
      all.push_back(entry);
      const bool has_graph = entry.plan(presets().front()).model.issuer == Issuer::graph;
      if (settings.gpus && has_graph) all.push_back(for_each_gpu(entry, name + ":each"));
      continue;
    }
    for (const NamedPolicy& named : settings.policies) {
      const std::string label = fmt::format("{}:{}", entry.name, named.name);
      all.push_back(under(entry, named.policy, label, entry.summary));
    }
  }
  if (settings.with_itself) {
    all.push_back(all.front());
    all.back().name += "_again";
  }
  return all;
}

}  // namespace trilane
