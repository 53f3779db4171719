#include "common/explain/analysis/verdict/split.hpp"

#include "common/explain/analysis/verdict/answers.hpp"
#include "common/explain/analysis/verdict/limitation.hpp"
#include "common/explain/analysis/verdict/pipelined.hpp"
#include "common/explain/analysis/verdict/range_words.hpp"
#include "common/explain/statistics/statistics.hpp"
#include "common/model/results/find.hpp"

namespace trilane {
namespace {

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
