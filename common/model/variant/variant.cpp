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

std::uint64_t total_calls(const Plan& plan) {
  std::uint64_t calls = 0;
  for (const Count& call : plan.calls) calls += call.value;
  return calls;
}

std::uint64_t calls_of(const Plan& plan, const std::string& name) {
  const auto found = std::ranges::find(plan.calls, name, &Count::name);
  return found == plan.calls.end() ? 0 : found->value;
}

std::vector<Count> together(std::initializer_list<std::vector<Count>> lists) {
  std::vector<Count> all;
  for (const auto& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

std::vector<Count> added_up(std::vector<Count> facts, const std::vector<Count>& more) {
  for (const Count& count : more) {
    const auto known = std::ranges::find(facts, count.name, &Count::name);
    if (known == facts.end()) {
      facts.push_back(count);
    } else {
      known->value += count.value;
    }
  }
  return facts;
}

std::vector<std::string> mismatches(const std::vector<Expectation>& expected,
                                    const std::vector<Count>& evidence) {
  std::vector<std::string> misses;
  for (const Expectation& e : expected) {
    const auto planned =
        fmt::format("{}: planned {}{}", e.name, e.at_least ? "at least " : "", e.value);
    bool found = false;
    for (const Count& fact : evidence) {
      if (fact.name != e.name) continue;
      found = true;
      const bool holds = e.at_least ? fact.value >= e.value : fact.value == e.value;
      if (!holds) {
        misses.push_back(fmt::format("{}, the runtime reports {}", planned, fact.value));
      }
    }
    if (!found) misses.push_back(planned + ", the runtime reports nothing");
  }
  return misses;
}

}  // namespace trilane
