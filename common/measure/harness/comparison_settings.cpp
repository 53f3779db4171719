#include "common/measure/harness/comparison_settings.hpp"

#include "common/base/text/exit_code.hpp"
#include "common/base/text/size.hpp"
#include "common/measure/context/host.hpp"
#include "common/measure/gpu/lanes.hpp"
#include "common/measure/harness/host_buffers.hpp"
#include "common/measure/harness/pricing.hpp"

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

/// Pools and graphs take memory from the driver in steps of this size.
constexpr double pool_step = 32 << 20;

/// Returns the device memory; each pool takes whole steps. A double, because sums may exceed 64
/// bits and are only compared.
double device_bytes(const Plan& plan) {
  const auto bytes = static_cast<double>(plan.scratch_bytes);
  if (!plan.needs_pools) return bytes;
  const auto fact = std::ranges::find(plan.facts, "pools", &Expectation::name);
  const auto pools = static_cast<double>(fact == plan.facts.end() ? 1 : fact->value);
  return pools * std::ceil(bytes / pools / pool_step) * pool_step;
}

double host_bytes(const Workload& workload) {
  const BufferSizes sizes = sizes_for(workload);
  return static_cast<double>(sizes.in) + 2 * static_cast<double>(sizes.out) +  // expected output
         static_cast<double>(workload.operations()) * sizeof(Step);
}

std::string bytes_text(double bytes) {
  return format_bytes(static_cast<std::uint64_t>(std::min(bytes, 1.8e19)));
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

std::string host_memory_text(HostMemory kind) {
  return kind == HostMemory::pageable ? "host memory" : "host memory, most of it pinned";
}

double reference_us(const Workload& workload, std::size_t letters) {
  constexpr double us_per_round = 0.4e-3;  // see Reference
  return us_per_round * static_cast<double>(letters) * workload.rounds * workload.depth;
}

void ensure_reference(const Workload& workload, std::size_t letters) {
  constexpr double most_us = 60e6;
  const double us = reference_us(workload, letters);
  if (us <= most_us) return;
  throw NotPossible(
      "{} rounds at depth {} would keep the CPU reference busy for {:.0f} s, and {:.0f} s is the "
      "maximum: choose fewer --rounds, a shorter --kernel-time or a smaller --depth",
      workload.rounds, workload.depth, us / 1e6, most_us / 1e6);
}

void ensure_operations(const Workload& workload) {
  constexpr std::uint64_t most = 100'000;
  if (workload.operations() <= most) return;
  throw NotPossible(
      "{} chunks at depth {} make {} operations a pass, and {} is the maximum, because a larger "
      "graph takes minutes to instantiate: choose fewer --chunks or a smaller --depth",
      workload.chunks(), workload.depth, workload.operations(), most);
}

void ensure_host_memory(std::span<const Workload> workloads, std::uint32_t gpus) {
  const std::uint64_t left = available_host_bytes();
  for (const Workload& workload : workloads) {
    const double host = gpus * host_bytes(workload);
    if (host <= static_cast<double>(left)) continue;
    throw NotPossible(
        "{} of input for {}{} takes {} of {}, and {} is left: choose a smaller --size or fewer "
        "--chunks",
        format_bytes(workload.bytes), workload.label(),
        gpus > 1 ? fmt::format(" on {} GPUs at once", gpus) : "", bytes_text(host),
        host_memory_text(workload.host_memory), format_bytes(left));
  }
}

void ensure_memory(const Workload& workload, const ComparisonSettings& settings,
                   const Device& device) {
  ensure_operations(workload);
  ensure_modelled(workload, settings.wait);
  ensure_host_memory({&workload, 1}, 1);
  const std::vector<VariantEntry> variants = contenders(settings);
  double need = 0;
  for (const VariantEntry& entry : variants) need += device_bytes(entry.plan(workload));
  need /= workload.gpu_count();  // on each GPU, of which the first is asked
  if (!(need <= static_cast<double>(device.free_bytes))) {
    throw NotPossible(
        "{} needs {} of device memory for {} variants, and {} of {} is free: choose a smaller "
        "--chunk-size, fewer --lanes or fewer variants{}",
        workload.label(), bytes_text(need), variants.size(), format_bytes(device.free_bytes),
        device.name, settings.policies.empty() ? "" : " or pool policies");
  }
}

void ensure_memory(std::span<const Workload> workloads, const ComparisonSettings& settings,
                   const Device& device) {
  for (const Workload& workload : workloads) {
    switch (settings.effort) {
      case Effort::measure: ensure_reference(workload); break;
      case Effort::predict: break;  // computes none
    }
    ensure_memory(workload, settings, device);
  }
}

}  // namespace trilane
