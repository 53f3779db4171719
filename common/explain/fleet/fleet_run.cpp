#include "common/explain/fleet/fleet.hpp"

#include "common/explain/report/diff_runs.hpp"
#include "common/explain/statistics/statistics.hpp"
#include "common/model/results/find.hpp"

namespace trilane {
namespace {

/// A shorter copy shows the start of a copy, not its rate.
constexpr std::uint64_t shows_rate_from = 1 << 20;

/// Returns all that defines the work, except what is usual: later versions may add to that.
std::string in_words(const Comparison& comparison, const Context& context) {
  std::string words = context.simulated.empty() ? "measured" : "simulated";
  static const std::vector<Property> usual = work_of({});
  for (const Property& property : work_of(comparison)) {
    if (includes(usual, property)) continue;
    words += fmt::format(" {}={}", property.first, property.second);
  }
  return words;
}

LogMean log_time(std::span<const Sample> samples) {
  const ByProcess times = by_process(turn_means(samples));
  if (times.size() > 1) return mean_over_processes(times);
  const std::vector<double>& turns = times.begin()->second;
  return turns.size() < fewest_rounds ? LogMean{std::log(pass_us(samples))} : log_of_mean(turns);
}

using Costs = std::vector<std::pair<std::string, double>>;

/// Returns the costs in microseconds.
Costs costs_of(const Limit& limit, const Workload& workload) {
  const bool rate_in = workload.chunk_bytes >= shows_rate_from;
  const bool rate_out = workload.result_bytes >= shows_rate_from;
  Costs costs{{"memset", limit.clear_us}, {"kernel", limit.kernels_us}};
  costs.emplace_back(rate_in ? "copy in" : "start of a copy in", limit.copy_in_us);
  costs.emplace_back(rate_out ? "copy out" : "start of a copy out", limit.copy_out_us);
  if (rate_in && rate_out) {
    const auto in = static_cast<double>(workload.chunk_bytes) / 1e3;
    const auto out = static_cast<double>(workload.result_bytes) / 1e3;
    costs.emplace_back("copy in during copies out", in / limit.duplex_in_gbps);
    costs.emplace_back("copy out during copies in", out / limit.duplex_out_gbps);
  }
  for (const CallCost& call : limit.calls_us.value_or(std::vector<CallCost>{})) {
    costs.emplace_back(call.name, call.us);
  }
  return costs;
}

/// Returns the time of the fixed piece of host work, 0 if it was not measured.
double host_us(const Comparison& comparison) {
  std::vector<double> times;
  for (const Measurement& m : comparison.measurements) {
    for (const Sample& sample : m.samples) {
      if (sample.host_us > 0) times.push_back(sample.host_us);
    }
  }
  return times.empty() ? 0 : median(times);
}

/// Returns the label without the GPU's number, which is the machine's.
std::string label_in_fleet(Comparison comparison) {
  const std::optional<Placement> place = std::exchange(comparison.placement, std::nullopt);
  const std::string label = label_of(comparison);
  if (!place || place->beside == 0) return label;
  return fmt::format("{}, {} at once{}", label, place->beside + 1,
                     place->one_process ? " in one process" : "");
}

void add(FleetRun& run, const Comparison& comparison) {
  const std::string words = in_words(comparison, run.context);
  FleetWork work{.key = fmt::format("{:016x}", std::hash<std::string>()(words)),  // for each value
                 .label = label_in_fleet(comparison),
                 .shape = comparison.workload.shape(),
                 .reference = comparison.reference,
                 .work = words};
  for (const Measurement& m : comparison.measurements) {
    work.tiers[m.variant] = tier_of(m.plan.model);
    if (was_timed(m)) run.values.push_back({work.key, m.variant, "", log_time(m.samples)});
    if (went_wrong(m.status)) {
      run.failures.push_back(fmt::format("{} on {}: {}", m.variant, work.label, m.message));
    }
  }
  Costs costs;
  if (comparison.limit) costs = costs_of(*comparison.limit, comparison.workload);
  costs.emplace_back("host core", host_us(comparison));
  for (const auto& [name, time] : costs) {
    const bool known = time > 0 && std::isfinite(time);
    if (known) run.values.push_back({work.key, "", name, {std::log(time)}});
  }
  run.works.push_back(std::move(work));
}

/// Returns what is known of a GPU of a run of several.
std::vector<Property> gpu_of(const Placement& place, const Context& context) {
  std::vector<Property> gpu{{"name", place.gpu},
                            {"ordinal", std::to_string(place.device)},
                            {"pci_bus_id", place.pci_bus_id}};
  const std::string driver = value_of(context.gpu, "driver_version");
  if (!driver.empty()) gpu.emplace_back("driver_version", driver);
  return gpu;
}

}  // namespace

std::vector<FleetRun> fleet_runs(const std::string& file, const Results& results) {
  std::map<std::uint32_t, FleetRun> by_gpu;
  for (Comparison comparison : results.comparisons) {
    const std::optional<Placement> place = comparison.placement;
    const auto [found, is_new] = by_gpu.try_emplace(place ? place->device : 0);
    FleetRun& run = found->second;
    if (is_new) run = {.file = file, .context = results.context};
    if (is_new && place) {
      run.file += " GPU " + std::to_string(place->device);
      run.context.gpu = gpu_of(*place, results.context);
      run.context.gpu_before.clear();  // they are the first GPU's
      run.context.gpu_after.clear();
    }
    if (place) comparison.placement->device = 0;  // all do the same work
    add(run, comparison);
  }
  std::vector<FleetRun> runs;
  for (auto& [device, run] : by_gpu) runs.push_back(std::move(run));
  if (runs.empty()) runs.push_back({.file = file, .context = results.context});
  return runs;
}

}  // namespace trilane
