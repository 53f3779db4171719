#include <fmt/format.h>

#include <cmath>

#include "common/context/host_memory.hpp"
#include "common/exit_code.hpp"
#include "common/harness/compare.hpp"
#include "common/harness/contenders.hpp"
#include "common/options/size.hpp"
#include "common/workload/reference.hpp"

namespace trilane {

namespace {

// Sums are doubles: they may exceed 64 bits, and only have to be compared.
struct Need {
  double host, device;
};

/// Pools and graphs take memory from the driver in steps of this size.
constexpr double pool_step = 32 << 20;

Need need_of(const Workload& workload, const Options& options) {
  const auto in = static_cast<double>(workload.bytes);
  const auto out = static_cast<double>(workload.result_total());
  Need need{.host = in + 2 * out, .device = 0};  // the second output is the expected one
  need.host += static_cast<double>(workload.operations()) * sizeof(Step);
  for (const VariantEntry& entry : contenders(options)) {
    const Plan plan = entry.plan(workload);
    const auto bytes = static_cast<double>(plan.scratch_bytes);
    need.device += plan.needs_pools ? std::ceil(bytes / pool_step) * pool_step : bytes;
  }
  return need;
}

std::string bytes_text(double bytes) {
  return format_bytes(static_cast<std::uint64_t>(std::min(bytes, 1.8e19)));
}

}  // namespace

void ensure_reference(const Workload& workload, std::size_t letters) {
  constexpr double us_per_round = 1.6e-3, most_us = 60e6;
  const double us = us_per_round * static_cast<double>(letters) * workload.rounds * workload.depth;
  if (us <= most_us) return;
  throw NotPossible(fmt::format(
      "{} rounds at depth {} would keep the CPU reference busy for {:.0f} s, and {:.0f} s is the "
      "most: choose fewer --rounds, a shorter --kernel-time or a smaller --depth",
      workload.rounds, workload.depth, us / 1e6, most_us / 1e6));
}

void ensure_memory(const Workload& workload, const Options& options, const Device& device) {
  const std::uint64_t host = available_host_bytes();
  const Need need = need_of(workload, options);
  if (!(need.host <= static_cast<double>(host))) {
    throw NotPossible(fmt::format(
        "{} of input for {} takes {} of host memory, most of it pinned, and {} is left: "
        "choose a smaller --size or fewer --chunks",
        format_bytes(workload.bytes), workload.label(), bytes_text(need.host), format_bytes(host)));
  }
  if (!(need.device <= static_cast<double>(device.free_bytes))) {
    throw NotPossible(
        fmt::format("{} needs {} of device memory for {} variants, and {} of {} is free: "
                    "choose a smaller --chunk-size, fewer --lanes or fewer variants",
                    workload.label(), bytes_text(need.device), options.variants.size(),
                    format_bytes(device.free_bytes), device.name));
  }
}

void ensure_memory(const Options& options, const Device& device) {
  for (const Workload& workload : options.workloads) {
    ensure_reference(workload);
    ensure_memory(workload, options, device);
  }
}

}  // namespace trilane
