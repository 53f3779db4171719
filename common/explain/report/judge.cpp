#include "common/explain/report/diff_runs.hpp"
#include "common/explain/statistics/ratio.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "common/base/text/exit_code.hpp"
#include "common/base/text/quoting.hpp"
#include "common/explain/report/diff_parts.hpp"
#include "common/explain/statistics/statistics.hpp"
#include "common/model/results/find.hpp"

namespace trilane {
namespace {

bool of_one_process(const Measurement& m) {
  return std::ranges::all_of(
      m.samples, [&](const Sample& s) { return s.process == m.samples.front().process; });
}

std::string why_no_times(const Measurement& m) {
  const std::string status = m.status == Status::ok ? "no samples" : name_of(m.status);
  if (m.message.empty()) return status;
  return m.message.starts_with(status) ? m.message : fmt::format("{}: {}", status, m.message);
}

Ratio wider(Ratio ratio, double spread) {
  return {ratio.estimate, ratio.low / (1 + spread), ratio.high * (1 + spread), ratio.covers};
}

struct Pair {
  Pair(const WorkloadChange& workload, const VariantChange& change)
      : before(*find_variant(*workload.before, change.variant)),
        now(*find_variant(*workload.now, change.variant)) {}

  bool has_both_times() const { return was_timed(before) && was_timed(now); }
  bool one_draw() const { return of_one_process(before) || of_one_process(now); }

  const Measurement &before, &now;
};

Ratio ratio_of(const Pair& pair, double confidence) {
  // One model made both: they share its error, and have no noise.
  if (pair.before.prediction && pair.now.prediction) {
    const double ratio = pass_us(pair.now.samples) / pass_us(pair.before.samples);
    return {ratio, ratio, ratio, Covers::nothing};
  }
  return unpaired_ratio(pair.now.samples, pair.before.samples, confidence);
}

void judge_samples(const RunChange& runs, const WorkloadChange& workload, VariantChange& change) {
  const Pair pair(workload, change);
  if (was_timed(pair.before)) change.old_us = pass_us(pair.before.samples);
  if (was_timed(pair.now)) change.new_us = pass_us(pair.now.samples);
  if (!pair.has_both_times()) {
    change.verdict = change.old_us ? Verdict::lost : Verdict::no_times;
    change.message = why_no_times(change.old_us ? pair.now : pair.before);
    return;
  }
  const bool simulated = !runs.now->results.context.simulated.empty();
  const double missed = pair.one_draw() ? 0.05 : 0.05 / static_cast<double>(runs.shared_by);
  change.measured = ratio_of(pair, 1 - missed);
  change.ratio = wider(*change.measured, pair.one_draw() && !simulated ? runs.process_spread : 0);
  change.verdict = verdict_of(*change.ratio, runs.same_within);
}

void judge(const RunChange& runs, const WorkloadChange& workload, VariantChange& change) try {
  judge_samples(runs, workload, change);
} catch (const std::invalid_argument& error) {
  throw UsageError(
      fmt::format("compare {} {}: {} on {}: {}; give files that trilane wrote, unchanged",
                  in_quotes(runs.before->path), in_quotes(runs.now->path), change.variant,
                  label_of(*workload.now), error.what()));
}

}  // namespace

Verdict verdict_of(const Ratio& ratio, double same_within) {
  const double border = 1 + same_within;
  if (1 / border <= ratio.low && ratio.high <= border) return Verdict::same;
  if (ratio.high < 1) return Verdict::faster;
  return ratio.low > 1 ? Verdict::slower : Verdict::unsure;
}

RunChange diff_runs(const RunFile& before, const RunFile& now, const DiffRequest& request) {
  RunChange runs = pair_up(before, now);
  runs.same_within = request.same_within;
  runs.process_spread = request.process_spread;
  runs.fail_beyond = request.fail_beyond;
  runs.differences = differences(before.results.context, now.results.context);
  for (const WorkloadChange& workload : runs.workloads) {
    for (const VariantChange& change : workload.changes) {
      const Pair pair(workload, change);
      runs.shared_by += pair.has_both_times() && !pair.one_draw();
    }
  }
  for (WorkloadChange& workload : runs.workloads) {
    for (VariantChange& change : workload.changes) judge(runs, workload, change);
  }
  return runs;
}

}  // namespace trilane
