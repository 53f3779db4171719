#include "common/base/text/words.hpp"
#include "common/explain/fleet/fleet_parts.hpp"
#include "common/explain/statistics/statistics.hpp"

namespace trilane {
namespace {

/// One machine's time of a variant, and its ratio to the reference.
struct MachineTime {
  double us;
  std::optional<LogMean> ratio;
};

FleetVariant variant_of(const std::string& name, Tier tier, const std::vector<MachineTime>& times) {
  FleetVariant variant{.variant = name, .tier = tier};
  std::vector<double> us, ratios;
  for (const MachineTime& time : times) {
    us.push_back(time.us);
    if (!time.ratio) continue;
    ratios.push_back(time.ratio->mean);
    const Ratio own = interval_of(*time.ratio);
    variant.faster += own.high < 1;
    variant.slower += own.low > 1;
  }
  variant.machines = static_cast<std::uint32_t>(us.size());
  variant.us = median(us);
  if (ratios.size() < 2) return variant;
  const Ratio all = interval_of(as_of_another_run(middle_mean_of_draws(ratios)));
  const auto [least, most] = std::ranges::minmax(ratios);
  variant.ratio = {all.estimate, all.low, all.high, std::exp(least), std::exp(most)};
  return variant;
}

std::string in_words(const FleetVariant& variant) {
  const AcrossMachines& ratio = *variant.ratio;
  std::string text = fmt::format("{} is {} [{}, {}] times as fast", variant.variant,
                                 short_speed(1 / ratio.estimate), short_speed(1 / ratio.high),
                                 short_speed(1 / ratio.low));
  if (variant.faster < variant.machines) {
    text += fmt::format(" (clearly faster on {} of {})", variant.faster,
                        counted(variant.machines, "GPU"));
  }
  return text;
}

/// Returns the best variant, rewritten or not, over the reference; gains below `margin` do not
/// count.
std::string verdict_of(const FleetWorkload& workload, double margin) {
  const auto best = [&](bool rewritten) -> const FleetVariant* {
    const FleetVariant* found = nullptr;
    for (const FleetVariant& variant : workload.variants) {
      const bool counts = variant.ratio && variant.ratio->high < 1 &&
                          variant.ratio->estimate * (1 + margin) < 1 &&
                          (variant.tier == Tier::rewritten) == rewritten;
      if (counts && !(found && found->ratio->estimate <= variant.ratio->estimate)) found = &variant;
    }
    return found;
  };
  if (workload.reference.empty()) {
    return workload.workload + ": there is no reference; name one with --reference.";
  }
  const FleetVariant *same = best(false), *rewritten = best(true);
  std::string text = fmt::format("{}, beside {}: {}", workload.workload, workload.reference,
                                 same ? in_words(*same) : "no gain with the same stages");
  if (rewritten) text += "; rewritten, " + in_words(*rewritten);
  return text + ".";
}

/// By machine, the variants' times.
using ByMachine = std::map<std::size_t, std::map<std::string, std::vector<LogMean>>>;

ByMachine times_of(const std::string& key, const std::vector<FleetRun>& runs,
                   const Places& places) {
  ByMachine times;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    for (const FleetValue& value : runs[i].values) {
      if (value.work != key || value.variant.empty()) continue;
      times[places[i]][value.variant].push_back(value.log);
    }
  }
  return times;
}

std::map<std::string, std::vector<MachineTime>> by_variant(const ByMachine& machines,
                                                           const std::string& reference) {
  std::map<std::string, std::vector<MachineTime>> found;
  for (const auto& [machine, variants] : machines) {
    const auto base = variants.find(reference);
    for (const auto& [name, times] : variants) {
      const LogMean log = averaged(times);
      MachineTime time{std::exp(log.mean), {}};
      if (base != variants.end() && name != reference) {
        time.ratio = difference(log, averaged(base->second));
      }
      found[name].push_back(time);
    }
  }
  return found;
}

}  // namespace

FleetWorkload workload_of(const std::string& key, const std::string& label,
                          const std::vector<FleetRun>& runs, const Places& places, double margin) {
  FleetWorkload workload{.workload = label};
  std::map<std::string, Tier> tiers;
  for (const FleetRun& run : runs) {
    for (const FleetWork& work : run.works) {
      if (work.key != key) continue;
      if (workload.reference.empty()) workload.reference = work.reference;
      tiers.insert(work.tiers.begin(), work.tiers.end());
    }
  }
  for (const auto& [name, times] : by_variant(times_of(key, runs, places), workload.reference)) {
    workload.variants.push_back(variant_of(name, tiers[name], times));
  }
  std::ranges::stable_sort(workload.variants, {}, &FleetVariant::us);
  workload.verdict = verdict_of(workload, margin);
  return workload;
}

}  // namespace trilane
