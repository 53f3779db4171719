#include "common/explain/analysis/verdict/placed.hpp"

#include "common/base/text/words.hpp"
#include "common/explain/analysis/verdict/answers.hpp"
#include "common/explain/analysis/verdict/derive.hpp"
#include "common/explain/statistics/statistics.hpp"
#include "common/model/results/find.hpp"

namespace trilane {
namespace {

std::string best_of(const Comparison& comparison) {
  const Winner* const best = best_kept(comparison);
  return best ? best->variant : "";
}

std::string name_of(const OnGpu& one) {
  return fmt::format("{} (GPU {})", in_list(one.alone->workload.label()),
                     one.alone->placement->device);
}

/// Says which workloads take longer on which GPU, the largest effect first.
std::string losses(const std::vector<OnGpu>& all, std::size_t most) {
  std::vector<std::pair<double, std::string>> slower;
  std::size_t unclear = 0;
  for (const OnGpu& one : all) {
    const auto ratio = one.longer(one.shown_variant());
    const Effect effect = effect_of(ratio);
    unclear += effect == Effect::unclear;
    if (effect == Effect::loses) slower.emplace_back(ratio->estimate, name_of(one));
  }
  if (unclear == all.size()) return "It is not known what GPUs take from each other.";
  if (slower.empty() && unclear == 0) return "No GPU is slower while all work.";
  if (slower.empty()) return "No GPU is known to be slower while all work.";
  const bool some = unclear == 0 && slower.size() < all.size();
  return fmt::format("While all work, a pass takes longer: {}{}.", each_cost(slower, most),
                     some ? "; no difference elsewhere" : "");
}

/// Says where another variant is best while all work.
std::string changes(const std::vector<OnGpu>& all, std::size_t most) {
  std::vector<std::string> changed;
  for (const OnGpu& one : all) {
    const Measurement *alone = find_variant(*one.together, one.best_alone()),
                      *now = find_variant(*one.together, one.best_together());
    if (!alone || !now || alone == now || !clearly_faster(*now, *alone)) continue;
    changed.push_back(
        fmt::format("{} instead of {} on {}", one.best_together(), one.best_alone(), name_of(one)));
  }
  const bool known = std::ranges::all_of(all, [](const OnGpu& one) {
    return !one.best_alone().empty() && !one.best_together().empty();
  });
  if (changed.empty()) return known ? "No other variant is clearly better then." : "";
  return fmt::format("Use then {}.", shortened(changed, most));
}

/// Says whether to drive all GPUs from one process or from a process for each, by the reference and
/// the best variant: among many, some differ by chance.
std::string processes_or_one(const std::vector<OnGpu>& all, std::size_t most) {
  const std::string each = "a process for each GPU", one = "one process with a thread for each GPU";
  std::vector<std::pair<double, std::string>> each_costs, one_costs;
  bool known = true, any = false;
  for (const OnGpu& gpu : all) {
    if (!gpu.in_one_process) continue;
    for (const Measurement& m : gpu.in_one_process->measurements) {
      const bool asked = m.variant == gpu.shown_variant() || m.variant == gpu.best_together();
      if (!asked || !was_timed(m)) continue;
      any = true;
      const Effect effect = effect_of(m.over_processes);
      const std::string name = m.variant + " on " + name_of(gpu);
      known = known && effect != Effect::unclear;
      if (effect == Effect::loses) one_costs.emplace_back(m.over_processes->estimate, name);
      if (effect == Effect::gains) each_costs.emplace_back(1 / m.over_processes->estimate, name);
    }
  }
  const auto longer = [most](const std::string& way, const auto& costs) {
    return fmt::format("{} takes longer: {}", way, each_cost(costs, most));
  };
  if (!any) return "";
  if (each_costs.empty() && one_costs.empty()) {
    return fmt::format("No difference{} between {} and {}.", known ? "" : " is known", each, one);
  }
  if (each_costs.empty()) return fmt::format("Use {}; {}.", each, longer(one, one_costs));
  if (one_costs.empty()) return fmt::format("Use {}; {}.", one, longer(each, each_costs));
  return fmt::format("It depends: {}; {}.", longer(one, one_costs), longer(each, each_costs));
}

}  // namespace

std::optional<Ratio> OnGpu::longer(const std::string& variant) const {
  const Measurement *before = find_variant(*alone, variant),
                    *now = find_variant(*together, variant);
  if (!before || !now || !was_timed(*before) || !was_timed(*now)) return std::nullopt;
  return unpaired_ratio(now->samples, before->samples);
}

std::string OnGpu::best_alone() const { return best_of(*alone); }
std::string OnGpu::best_together() const { return best_of(*together); }

std::string OnGpu::shown_variant() const {
  return alone->reference.empty() ? best_alone() : alone->reference;
}

std::vector<OnGpu> on_each_gpu(std::span<const Comparison> comparisons) {
  std::vector<OnGpu> all;
  for (const Comparison& alone : comparisons) {
    if (!alone.placement || alone.placement->beside > 0) continue;
    OnGpu one{.alone = &alone};
    for (const Comparison& other : comparisons) {
      if (!only_placed_apart(alone, other) || other.placement->beside == 0 ||
          other.placement->device != alone.placement->device) {
        continue;
      }
      (other.placement->one_process ? one.in_one_process : one.together) = &other;
    }
    if (one.together) all.push_back(one);
  }
  return all;
}

void compare_with_processes(std::vector<Comparison>& comparisons) {
  for (Comparison& one : comparisons) {
    if (!one.placement || !one.placement->one_process) continue;
    const auto apart = std::ranges::find_if(comparisons, [&](const Comparison& other) {
      return only_placed_apart(one, other) && other.placement->beside > 0 &&
             !other.placement->one_process && other.placement->device == one.placement->device;
    });
    for (Measurement& m : one.measurements) {
      m.over_processes.reset();
      if (apart == comparisons.end() || !was_timed(m)) continue;
      const Measurement* const other = find_variant(*apart, m.variant);
      if (other && was_timed(*other)) m.over_processes = unpaired_ratio(m.samples, other->samples);
    }
  }
}

std::string gpus_answer(std::span<const Comparison> comparisons, std::size_t most) {
  const std::vector<OnGpu> all = on_each_gpu(comparisons);
  if (all.empty()) return "";
  if (is_predicted(*all.front().alone)) return "It is not modelled what GPUs take from each other.";
  std::string answer = losses(all, most);
  for (const std::string& more : {changes(all, most), processes_or_one(all, most)}) {
    if (!more.empty()) answer += " " + more;
  }
  return answer;
}

}  // namespace trilane
