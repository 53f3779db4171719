#include "common/diff/judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "common/analysis/statistics/statistics.hpp"
#include "common/diff/diff_words.hpp"
#include "common/diff/differences.hpp"
#include "common/diff/pair_up.hpp"
#include "common/text/exit_code.hpp"
#include "common/text/quoting.hpp"

namespace trilane {
namespace {

bool has_times(const Measurement& m) { return m.status == Status::ok && !m.samples.empty(); }

bool of_one_process(const Measurement& m) {
  std::set<std::uint32_t> processes;
  for (const Sample& sample : m.samples) processes.insert(sample.process);
  return processes.size() < 2;
}

std::string why_no_times(const Measurement& m) {
  const std::string status = m.status == Status::ok ? "no samples" : name_of(m.status);
  if (m.message.empty()) return status;
  return m.message.starts_with(status) ? m.message : fmt::format("{}: {}", status, m.message);
}

double median_wall(const Measurement& m) {
  std::vector<double> walls;
  for (const Sample& sample : m.samples) walls.push_back(sample.wall_us);
  return quantile(walls, 0.5);
}

Ratio wider(Ratio ratio, double spread) {
  return {ratio.estimate, ratio.low / (1 + spread), ratio.high * (1 + spread)};
}

class Judge {
 public:
  Judge(RunChange& runs, const DiffRequest& request) : runs_(runs), request_(request) {}

  void operator()() {
    for (const WorkloadChange& workload : runs_.workloads) {
      for (const Change& change : workload.changes) {
        const Measurement& before = *workload.before->find(change.variant);
        const Measurement& now = *workload.now->find(change.variant);
        const bool compared = has_times(before) && has_times(now);
        runs_.shared_by += compared && !of_one_process(before) && !of_one_process(now);
      }
    }
    for (WorkloadChange& workload : runs_.workloads) {
      for (Change& change : workload.changes) judge(workload, change);
    }
  }

 private:
  void judge(const WorkloadChange& workload, Change& change) const {
    const Measurement& before = *workload.before->find(change.variant);
    const Measurement& now = *workload.now->find(change.variant);
    if (has_times(before)) change.old_us = median_wall(before);
    if (has_times(now)) change.new_us = median_wall(now);
    if (!change.old_us || !change.new_us) {
      change.verdict = change.old_us ? Verdict::lost : Verdict::no_times;
      change.message = why_no_times(change.old_us ? now : before);
      return;
    }
    const bool one_draw = of_one_process(before) || of_one_process(now);
    const bool simulated = !runs_.now->results.context.simulated.empty();
    const double missed = one_draw ? 0.05 : 0.05 / static_cast<double>(runs_.shared_by);
    change.measured = ratio_of(workload, now, before, 1 - missed);
    change.ratio = wider(*change.measured, one_draw && !simulated ? request_.process_spread : 0);
    change.verdict = verdict_of(*change.ratio, request_.same_within);
  }

  Ratio ratio_of(const WorkloadChange& workload, const Measurement& now, const Measurement& before,
                 double confidence) const {
    try {
      return unpaired_ratio(now.samples, before.samples, confidence);
    } catch (const std::invalid_argument& error) {
      throw UsageError(
          fmt::format("--compare {} {}: {} on {}: {}; give files as trilane wrote them",
                      in_quotes(runs_.before->path), in_quotes(runs_.now->path), now.variant,
                      label_of(*workload.now), error.what()));
    }
  }

  RunChange& runs_;
  const DiffRequest& request_;
};

}  // namespace

Verdict verdict_of(const Ratio& ratio, double same_within) {
  const double border = 1 + same_within;
  if (1 / border <= ratio.low && ratio.high <= border) return Verdict::same;
  if (ratio.high < 1) return Verdict::faster;
  return ratio.low > 1 ? Verdict::slower : Verdict::unsure;
}

RunChange compare_runs(const RunFile& before, const RunFile& now, const DiffRequest& request) {
  RunChange runs = pair_up(before, now);
  runs.same_within = request.same_within;
  runs.process_spread = request.process_spread;
  runs.fail_beyond = request.fail_beyond;
  runs.differences = differences(before.results.context, now.results.context);
  Judge(runs, request)();
  return runs;
}

}  // namespace trilane
