#include "common/analysis/limits/regime.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "common/results/find.hpp"
#include "common/text/size.hpp"

namespace trilane {

namespace {

struct Judgement {
  bool held;
  std::string figures;
};

/// Nothing without times of the reference.
std::optional<Judgement> judge_launch(const Comparison& comparison) {
  const Measurement* reference = find_reference(comparison);
  if (!reference || !reference->submit || !reference->wall) return std::nullopt;
  const double share = reference->submit->median / reference->wall->median;
  return Judgement{share >= 0.9, fmt::format("{} spends {:.0f}% of its wall time submitting",
                                             comparison.reference, 100 * share)};
}

Judgement judge_transfer(const Limit& limit) {
  const double copies = std::min(limit.steady_in_us, limit.steady_out_us);
  return {copies >= 5 * limit.steady_work_us,
          fmt::format("a chunk's copies take {} us each way, its kernels {} us", format_us(copies),
                      format_us(limit.steady_work_us))};
}

Judgement judge_kernel_share(const Limit& limit, double low, double high) {
  const double share = limit.kernels_us / limit.copy_in_us;
  return {share >= low && share <= high,
          fmt::format("a chunk's kernels take {:.2f} times as long as its copy in ({} and {} us)",
                      share, format_us(limit.kernels_us), format_us(limit.copy_in_us))};
}

Judgement judge_reduce(const Limit& limit) {
  const double others = std::max(limit.steady_work_us, limit.steady_out_us);
  return {limit.steady_in_us >= 5 * others,
          fmt::format("a chunk's copy in takes {} us, everything else at most {} us",
                      format_us(limit.steady_in_us), format_us(others))};
}

Judgement judge_search(const Limit& limit) {
  const double others = limit.copy_in_us + limit.clear_us + limit.copy_out_us;
  return {limit.kernels_us >= 500 && limit.kernels_us <= 2000,
          fmt::format("a chunk's kernel takes {} us, its copies and memset {} us",
                      format_us(limit.kernels_us), format_us(others))};
}

std::optional<Judgement> judge(const Comparison& comparison) {
  const std::string& preset = comparison.workload.name;
  const Limit& limit = *comparison.limit;
  if (preset == "launch") return judge_launch(comparison);
  if (preset == "transfer") return judge_transfer(limit);
  if (preset == "balanced") return judge_kernel_share(limit, 0.75, 1.33);
  if (preset == "compute") return judge_kernel_share(limit, 7.5, 13.3);
  if (preset == "reduce") return judge_reduce(limit);
  return judge_search(limit);
}

}  // namespace

void judge_regime(Comparison& comparison) {
  const std::string dominates = regime(comparison.workload.name);
  if (dominates.empty() || comparison.workload.modified || !comparison.limit) return;
  const std::optional<Judgement> judgement = judge(comparison);
  if (!judgement) {
    comparison.regime_held.reset();
    comparison.regime = "not judged: the reference has no times";
    return;
  }
  comparison.regime_held = judgement->held;
  comparison.regime = fmt::format("{}: {}, {}", dominates,
                                  judgement->held ? "holds" : "does not hold", judgement->figures);
}

}  // namespace trilane
