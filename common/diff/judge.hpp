// Compares two runs and gives the verdicts.
#pragma once

#include "common/diff/change.hpp"
#include "common/diff/diff_request.hpp"

namespace trilane {

/// Pairs up two runs and judges every variant. If both have several processes, all intervals
/// together are right in 95% of cases (Bonferroni), so that many unchanged variants raise no more
/// false alarms than one. If either has one process, the 95% interval of its rounds is widened by
/// the request's process_spread each way, which is no statistic; simulated times need none. Throws
/// UsageError as pair_up() does, and if a sample is not a valid time.
RunChange diff_runs(const RunFile& before, const RunFile& now, const DiffRequest& request);

/// The verdict by the interval, see Verdict. `same` comes first: a certain difference within
/// `same_within` does not matter. An undecided() ratio is unsure.
Verdict verdict_of(const Ratio& ratio, double same_within);

}  // namespace trilane
