// The settings of a comparison, the variants that it measures, and the memory that they need.
#pragma once

#include "common/measure/gpu/runtime/device.hpp"
#include "common/model/results/results.hpp"
#include "common/model/variant/variant.hpp"
#include "common/model/workload/knobs.hpp"
#include "common/model/workload/reference.hpp"

namespace trilane {

/// The extent to which a comparison runs each variant.
enum class Effort {
  measure,  ///< rounds of checked and timed passes, and repeated set-ups
  predict,  ///< on the simulated device, whose times do not vary: one pass, without data
};

struct ComparisonSettings {
  Effort effort = Effort::measure;
  std::vector<std::string> variants{};  ///< names, in registry order
  std::vector<NamedPolicy> policies{};  ///< pool policies to compare; otherwise empty
  std::string reference{};              ///< one of `variants`; empty if it is not among them
  GpuList gpus{};                       ///< over which some workloads are split
  bool with_itself = false;             ///< the one variant is compared with itself
  double slow_down = 0;                 ///< `with_itself`: share by which the second is slowed down
  bool only_intervals = false;          ///< neither the limit nor set-ups are measured
  Mode mode = Mode::latency;
  Wait wait = Wait::spin;
  double kernel_time_us = 0;    ///< requested time of a kernel; 0 keeps the rounds
  double seconds = 7;           ///< measuring time per workload; of a sweep, all its time
  double precision = 0.01;      ///< stop when every interval is this narrow (half width, relative)
  double renewing_share = 0.2;  ///< share of that time, added for set-ups between rounds
  bool prove_break_even = false;  ///< run real sequences until they cross
  std::uint64_t seed = 1;
};

/// Returns true if the variant allocates by the workload's pool policy. Its plan then states the
/// pool's settings, so the plan changes with the policy.
bool depends_on_policy(const VariantEntry& entry);

/// Returns the entries of settings.variants, in order. With several pool policies a variant that
/// depends on the policy appears once per policy, as "NAME:POLICY". With settings.gpus a variant of
/// one graph appears once more, with a graph for each GPU, as "NAME:each". With
/// settings.with_itself the only variant appears twice, the second time as "NAME_again".
std::vector<VariantEntry> contenders(const ComparisonSettings& settings);

/// Returns the variant with an instance for each GPU, which issues that GPU's chunks on a stream
/// forked from the origin: graph then has one graph for each GPU, instead of one with the nodes of
/// all. Without a split there is one instance. The variant must not use the numbers of chunks.
VariantEntry for_each_gpu(const VariantEntry& entry, std::string name);

/// Returns the kind of buffers in words: "host memory", and whether most of it is pinned.
std::string host_memory_text(HostMemory kind);

/// Throws NotPossible, with the figures and the remedy, unless:
/// - host and device have the memory that every workload needs with all chosen variants at once,
/// - no graph needs more operations than it can hold,
/// - ensure_modelled() accepts the workloads.
/// Call it before the first workload.
void ensure_memory(std::span<const Workload> workloads, const ComparisonSettings& settings,
                   const Device& device);

/// Throws the same unless the host has the memory of every workload for that many GPUs at once.
void ensure_host_memory(std::span<const Workload> workloads, std::uint32_t gpus);

/// Checks one workload, without its CPU reference.
void ensure_memory(const Workload& workload, const ComparisonSettings& settings,
                   const Device& device);

/// Returns the estimated time of the workload's CPU reference with an alphabet of `letters` words.
double reference_us(const Workload& workload, std::size_t letters);

/// Throws NotPossible if the reference would take minutes.
void ensure_reference(const Workload& workload, std::size_t letters = Reference::alphabet_size);

}  // namespace trilane
