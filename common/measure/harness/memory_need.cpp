#include "common/measure/harness/memory_need.hpp"

#include "common/base/text/exit_code.hpp"
#include "common/base/text/size.hpp"
#include "common/measure/context/host.hpp"
#include "common/measure/harness/host_buffers.hpp"
#include "common/measure/harness/pricing.hpp"

namespace trilane {
namespace {

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
  throw NotPossible(fmt::format(
      "{} rounds at depth {} would keep the CPU reference busy for {:.0f} s, and {:.0f} s is the "
      "maximum: choose fewer --rounds, a shorter --kernel-time or a smaller --depth",
      workload.rounds, workload.depth, us / 1e6, most_us / 1e6));
}

void ensure_operations(const Workload& workload) {
  constexpr std::uint64_t most = 100'000;
  if (workload.operations() <= most) return;
  throw NotPossible(fmt::format(
      "{} chunks at depth {} make {} operations a pass, and {} is the maximum, because a larger "
      "graph takes minutes to instantiate: choose fewer --chunks or a smaller --depth",
      workload.chunks(), workload.depth, workload.operations(), most));
}

void ensure_host_memory(std::span<const Workload> workloads, std::uint32_t gpus) {
  const std::uint64_t left = available_host_bytes();
  for (const Workload& workload : workloads) {
    const double host = gpus * host_bytes(workload);
    if (host <= static_cast<double>(left)) continue;
    throw NotPossible(fmt::format(
        "{} of input for {}{} takes {} of {}, and {} is left: choose a smaller --size or fewer "
        "--chunks",
        format_bytes(workload.bytes), workload.label(),
        gpus > 1 ? fmt::format(" on {} GPUs at once", gpus) : "", bytes_text(host),
        host_memory_text(workload.host_memory), format_bytes(left)));
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
    throw NotPossible(fmt::format(
        "{} needs {} of device memory for {} variants, and {} of {} is free: choose a smaller "
        "--chunk-size, fewer --lanes or fewer variants{}",
        workload.label(), bytes_text(need), variants.size(), format_bytes(device.free_bytes),
        device.name, settings.policies.empty() ? "" : " or pool policies"));
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
