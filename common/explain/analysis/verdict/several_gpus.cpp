#include "common/base/text/words.hpp"
#include "common/explain/analysis/verdict/derive.hpp"
#include "common/explain/analysis/verdict/loads.hpp"
#include "common/explain/analysis/verdict/pipelined.hpp"
#include "common/explain/analysis/verdict/verdict.hpp"
#include "common/explain/statistics/statistics.hpp"

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

bool are_split(const Comparison& one, const Comparison& over) {
  Workload whole = over.workload;
  whole.gpus.reset();
  return over.workload.gpus && one.workload == whole && one.wait == over.wait;
}

std::optional<Ratio> ratio_of(const Measurement& over, const Measurement* one) {
  if (!one || !was_timed(over) || !was_timed(*one)) return std::nullopt;
  return over.prediction ? wall_ratio(over, *one) : unpaired_ratio(over.samples, one->samples);
}

double both_ways(const Limit& limit) { return limit.duplex_in_gbps + limit.duplex_out_gbps; }

/// Returns "1.93 [1.90, 1.96] times as fast as the same on one on transfer (graph, limited by copy
/// out)".
std::string speed_in_words(const Split& split, const Measurement& m) {
  const Limitation limitation = limitation_of(*split.over, m);
  return fmt::format("{} times as fast as the same on one on {} ({}{})", speed_of_split(m),
                     in_list(split.one->workload.label()), m.variant,
                     limitation.by ? fmt::format(", limited by {}", name_of(*limitation.by)) : "");
}

/// Says what the GPUs share, by the workload that copies fastest on one. Small copies do not tell,
/// because they take their time to start, nor do GPUs without a full chunk.
std::string links_in_words(const std::vector<Split>& all) {
  constexpr double alike = 0.9;
  constexpr std::uint64_t large = 1 << 20;
  const auto rate = [](const Split& split) {
    const Workload& workload = split.over->workload;
    const bool tells = std::min(workload.chunk_bytes, workload.result_bytes) >= large &&
                       exact_chunks(workload) >= split.gpus();
    return tells && split.copies() > 0 ? both_ways(*split.one->limit) : 0;
  };
  const Split& fastest = *std::ranges::max_element(all, {}, rate);
  if (!(rate(fastest) > 0)) return "";
  const Limit &one = *fastest.one->limit, &over = *fastest.over->limit;
  const double one_way = std::min(over.in_gbps / one.in_gbps, over.out_gbps / one.out_gbps),
               both = fastest.copies(), enough = alike * fastest.gpus();
  return fmt::format(
      " {}: {:.0f} at once copy {:.2f} times the bytes of one each way, {:.2f} times both ways, "
      "{:.0f} GB/s.",
      one_way < enough ? "Links are shared"
      : both < enough  ? "Links are not shared, but the host's memory or the like is"
                       : "Links are not shared",
      fastest.gpus(), one_way, both, both_ways(over));
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

const Measurement* Split::best() const {
  const Measurement* best = nullptr;
  for (const Measurement& m : over->measurements) {
    if (!m.over_one_gpu || !m.wall) continue;
    if (!best || m.wall->mean < best->wall->mean) best = &m;
  }
  return best;
}

double Split::copies() const {
  if (!one->limit || !over->limit || !(both_ways(*one->limit) > 0)) return 0;
  return both_ways(*over->limit) / both_ways(*one->limit);
}

double most_gpus(std::span<const Split> all) {
  return std::ranges::max(all | std::views::transform(&Split::gpus));
}

std::vector<Split> splits_in(std::span<const Comparison> comparisons) {
  std::vector<Split> all;
  for (const Comparison& one : comparisons) {
    for (const Comparison& over : comparisons) {
      if (are_split(one, over)) all.push_back({&one, &over});
    }
  }
  return all;
}

void derive_splits(std::span<Comparison> comparisons) {
  for (Comparison& over : comparisons) {
    const auto one = std::ranges::find_if(
        comparisons, [&](const Comparison& other) { return are_split(other, over); });
    for (Measurement& m : over.measurements) {
      m.over_one_gpu.reset();
      if (one != comparisons.end()) m.over_one_gpu = ratio_of(m, find_variant(*one, m.variant));
    }
  }
}

std::string speed_of_split(const Measurement& m) {
  const Ratio& ratio = *m.over_one_gpu;
  const std::string speed = fmt::format("{:.2f}", 1 / ratio.estimate);
  if (!decides(ratio)) return fmt::format("{} ({})", speed, range_words(ratio.covers).undecided);
  return fmt::format("{} {}", speed,
                     range_text(ratio.covers, fmt::format("{:.2f}", 1 / ratio.high),
                                fmt::format("{:.2f}", 1 / ratio.low)));
}

std::string efficiency_of_split(const Measurement& m, double gpus) {
  return fmt::format("{:.0f}%", 100 / m.over_one_gpu->estimate / gpus);
}

std::string split_answer(std::span<const Comparison> comparisons) {
  const std::vector<Split> all = splits_in(comparisons);
  if (all.empty()) return "";
  std::vector<Split> known = all;
  std::erase_if(known, [](const Split& split) { return !split.best(); });
  if (known.empty()) return "It is not known what more GPUs gain.";
  const Split& fastest = *std::ranges::min_element(
      known, {}, [](const Split& split) { return split.best()->over_one_gpu->estimate; });
  return fmt::format("{:.0f} GPUs: {}{}.{}", most_gpus(all), known.size() > 1 ? "up to " : "",
                     speed_in_words(fastest, *fastest.best()), links_in_words(all));
}

}  // namespace trilane
