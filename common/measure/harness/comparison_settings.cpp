#include "common/measure/harness/comparison_settings.hpp"

#include "common/measure/gpu/lanes.hpp"

namespace trilane {
namespace {

/// Returns the part of a pass on the GPU with that place in the list.
Workload part_of(const Workload& workload, std::uint32_t gpu) {
  const std::uint32_t gpus = workload.gpu_count();
  return on_one_gpu(workload, (workload.chunks() - gpu + gpus - 1) / gpus);
}

Job part_of(const Job& job, std::uint32_t gpu) {
  const std::uint32_t gpus = job.workload.gpu_count();
  Job part(part_of(job.workload, gpu), job.host_in, job.host_out, job.kernels);
  part.steps.clear();
  for (Step step : job.steps) {
    if (step.lane % gpus != gpu) continue;
    step.lane /= gpus;
    part.steps.push_back(step);
  }
  return part;
}

class EachGpu : public Variant {
 public:
  EachGpu(const VariantEntry& entry, const Job& job)
      : gpus_(job.workload.gpu_count(), Homes(job.workload)) {
    const Homes homes(job.workload);
    for (std::uint32_t gpu = 0; gpu < job.workload.gpu_count(); ++gpu) {
      jobs_.push_back(std::make_unique<Job>(part_of(job, gpu)));
      homes.enter(gpu);
      instances_.push_back(entry.make(*jobs_.back()));
    }
    homes.leave();
  }

  void submit(cudaStream_t origin) override {
    gpus_.fork(origin);
    for (std::uint32_t gpu = 0; gpu < instances_.size(); ++gpu) {
      instances_[gpu]->submit(gpus_[gpu]);
    }
    gpus_.join(origin);
  }

  Facts evidence() const override {
    Facts facts;
    for (const auto& one : instances_) facts = added_up(std::move(facts), one->evidence());
    return facts;
  }

 private:
  Lanes gpus_;  // a stream on each
  std::vector<std::unique_ptr<Job>> jobs_;
  std::vector<std::unique_ptr<Variant>> instances_;
};

Plan plan_of(const VariantEntry& entry, const Workload& workload) {
  const std::uint32_t gpus = workload.gpu_count();
  Plan all = entry.plan(part_of(workload, 0));
  for (std::uint32_t gpu = 1; gpu < gpus; ++gpu) {
    const Plan one = entry.plan(part_of(workload, gpu));
    all.calls = added_up(std::move(all.calls), one.calls);
    all.nodes = added_up(std::move(all.nodes), one.nodes);
    for (std::size_t i = 0; i < all.facts.size(); ++i) all.facts[i].value += one.facts[i].value;
    all.scratch_bytes += one.scratch_bytes;
    all.streams += one.streams;
  }
  all.calls = added_up(std::move(all.calls),
                       {{"cudaEventRecord", gpus + 1}, {"cudaStreamWaitEvent", 2 * gpus}});
  if (workload.gpus) all.calls.push_back({"cudaSetDevice", gpus + 1});
  all.streams += gpus;
  return all;
}

}  // namespace

VariantEntry for_each_gpu(const VariantEntry& entry, std::string name) {
  const auto plan = [entry](const Workload& workload) { return plan_of(entry, workload); };
  const auto make = [entry](const Job& job) -> std::unique_ptr<Variant> {
    return std::make_unique<EachGpu>(entry, job);
  };
  return {std::move(name), entry.summary + ", one for each GPU", plan, make};
}

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
