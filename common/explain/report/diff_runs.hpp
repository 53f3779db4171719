// Compares two runs for trilane compare: request, verdicts, report, file and exit code.
#pragma once

#include "common/base/text/page.hpp"
#include "common/model/results/results.hpp"

namespace trilane {

/// The change of a variant from the old run to the new one.
BOOST_DEFINE_ENUM_CLASS(Verdict,
                        same,      ///< the whole interval is within the margin around 1
                        faster,    ///< the whole interval shows new to be faster
                        slower,    ///< the whole interval shows new to be slower
                        unsure,    ///< none of these
                        lost,      ///< has times in the old run and none in the new one
                        no_times)  ///< has no times in the old run

/// Returns "SAME", "FASTER", "SLOWER", "UNSURE", "LOST" or "-".
constexpr const char* name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::same: return "SAME";
    case Verdict::faster: return "FASTER";
    case Verdict::slower: return "SLOWER";
    case Verdict::unsure: return "UNSURE";
    case Verdict::lost: return "LOST";
    case Verdict::no_times: return "-";
  }
  return "";
}

/// One variant on one workload.
struct VariantChange {
  std::string variant;
  Verdict verdict = Verdict::no_times;
  std::string message{};                     ///< why one run has no times; otherwise empty
  std::optional<double> old_us{}, new_us{};  ///< means of wall times
  std::optional<Ratio> measured{};           ///< wall time now over before, from the samples alone
  std::optional<Ratio> ratio{};              ///< the same, widened by the allowance for processes
};
BOOST_DESCRIBE_STRUCT(VariantChange, (),
                      (variant, verdict, message, old_us, new_us, measured, ratio))
TRILANE_RANGES(VariantChange, Within<&R::message>{text_range})

/// One workload that both runs have.
struct WorkloadChange {
  const Comparison* before = nullptr;
  const Comparison* now = nullptr;
  std::vector<std::string> only_before{}, only_now{};  ///< variants
  std::vector<VariantChange> changes{};
};

/// A difference between the environments of the runs.
struct ContextDifference {
  std::string what, before, now;
};

/// A results file and its path.
struct RunFile {
  std::string path;
  Results results;
};

/// How the differences of two runs are judged. Shares, not percent.
struct DiffRequest {
  double same_within = 0.02;
  /// How far two processes of the same build may differ. The default comes from one H200: two
  /// consecutive runs there were 23% apart in streams on launch, by log means over rounds.
  double process_spread = 0.25;
  std::optional<double> fail_beyond{};  ///< --fail-on-slower: exit with 1 beyond this slow-down
  bool over_runs = false;               ///< the sides' processes are whole runs
};

/// The changes between two runs, which must outlive it.
struct RunChange {
  const RunFile* before = nullptr;
  const RunFile* now = nullptr;
  DiffRequest request{};
  /// The number of intervals between runs of several processes. Together they miss in 5% of cases.
  std::size_t shared_by = 0;
  std::vector<ContextDifference> differences{};
  std::vector<std::string> only_before{}, only_now{};  ///< workloads
  std::vector<WorkloadChange> workloads{};
};

/// Returns the workloads that both runs have under the same conditions, in the order of `before`,
/// their variants without verdicts yet, and what only one run has. Throws UsageError, with the
/// value and the remedy, if only one is simulated; if a preset differs in shape or conditions, if a
/// workload occurs twice, or if they have nothing in common.
RunChange pair_up(const RunFile& before, const RunFile& now);

/// Returns every recorded difference that can affect times: profile, GPU, driver, toolkit, clocks
/// after the run, host, environment variables, revision. Omits values that change from minute to
/// minute, and temperature and power, which show in the clocks. Empty ones read "nothing".
std::vector<ContextDifference> differences(const Context& before, const Context& now);

/// Returns both paths, each with its start, GPU and revision, and the differences() between them.
Page origins_page(const RunFile& before, const RunFile& now);

/// Pairs up two runs and judges every variant. Throws UsageError like pair_up(), and if a sample is
/// not a valid time.
/// - If both have several processes, all intervals together are right in 95% of cases (Bonferroni).
/// - If processes stand for runs, intervals are over runs, see ratio_over_runs().
/// - If either has one process, the 95% interval of its rounds is widened by the request's
///   process_spread each way, an allowance; simulated times need none.
RunChange diff_runs(const RunFile& before, const RunFile& now, const DiffRequest& request);

/// Returns the verdict by the interval, see Verdict. `same` comes first: a certain difference
/// within `same_within` does not matter. An undecided() ratio is unsure.
Verdict verdict_of(const Ratio& ratio, double same_within);

/// Returns the work and how it is timed: every field of the workload, named as in the file, then
/// mode, batch, wait, slow_down and the placement: by default GPU 0, alone. Ignores whether the
/// workload is a modified preset.
std::vector<Property> work_of(const Comparison& comparison);

/// Returns "launch", "launch, pageable, block": the name of a comparison within its run.
std::string label_of(const Comparison& comparison);

/// Returns "launch: 1 SLOWER (graph 0.953); 3 SAME; 1 UNSURE.": the number of variants of a
/// workload, or of all, with each verdict, and the speeds of those that changed.
std::string verdict(const WorkloadChange& workload);
std::string verdict(const RunChange& runs);

/// Returns the verdict in words, a table per workload, the two runs, the differences between their
/// environments, how to read the verdicts, and that of --fail-on-slower if given.
Page diff_page(const RunChange& runs);

/// Returns Markdown for a CI job: the changes, the verdict of --fail-on-slower, diff_page() folded.
std::string diff_summary(const RunChange& runs);

/// Returns both runs' paths and contexts and the differences between these. Per workload it has
/// each variant's means, ratio (new over old, wall time) and verdict, and a sentence on all.
std::string to_json(const RunChange& runs);

/// Returns true if a variant fails --fail-on-slower: it is LOST, or its whole interval is SLOWER by
/// more than `beyond` of the old time. Exactly `beyond` passes, rounding errors included.
bool worse(const RunChange& runs, double beyond);

}  // namespace trilane
