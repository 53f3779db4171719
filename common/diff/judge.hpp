// The verdicts of two runs.
#pragma once

#include "common/diff/change.hpp"
#include "common/diff/diff_request.hpp"

namespace trilane {

/// Two runs, paired up and judged. Between several processes and several, all intervals hold at
/// once in 95 of 100 cases (Bonferroni): a page full of variants that did not change raises a false
/// alarm as seldom as one of them alone. Where either run has times of one process only, the
/// interval is that of its rounds, 95%, and wider by the request's process_spread each way, which
/// is an allowance, not statistics; simulated times need no allowance. Throws UsageError as
/// pair_up(), and where a sample is no time.
RunChange compare_runs(const RunFile& before, const RunFile& now, const DiffRequest& request);

/// By the interval: see Verdict. Verdict::same goes first: a sure difference within `same_within`
/// does not matter. An undecided() ratio is unsure.
Verdict verdict_of(const Ratio& ratio, double same_within);

}  // namespace trilane
