// Parts of the comparison of two runs.
#pragma once

#include <string>
#include <vector>

#include "common/explain/report/diff_runs.hpp"
#include "common/model/results/results.hpp"

namespace trilane {

/// Returns the workloads that both runs have under the same conditions, in the order of `before`,
/// their variants without verdicts yet, and what only one run has. Throws UsageError, with the
/// value and the remedy, if the runs cannot be compared:
/// - one is simulated and the other measured;
/// - a preset differs in shape or conditions;
/// - a workload occurs twice;
/// - they have nothing in common.
RunChange pair_up(const RunFile& before, const RunFile& now);

/// Returns the work and how it is timed: every field of the workload, named as in the file, then
/// mode, batch, wait and slow_down. Ignores whether the workload is a modified preset.
std::vector<Property> work_of(const Comparison& comparison);

/// Returns every recorded difference that can affect times: profile, GPU, driver, toolkit, clocks
/// after the run, host, environment variables, revision. Omits values that change from minute to
/// minute, and temperature and power, which show in the clocks. Empty values are shown as
/// "nothing".
std::vector<Difference> differences(const Context& before, const Context& now);

/// Returns "launch", "launch, pageable, block": the name of a comparison within its run.
std::string label_of(const Comparison& comparison);

/// Returns "launch: 1 SLOWER (graph 0.953); 3 SAME; 1 UNSURE.": the number of variants of a
/// workload, or of all, with each verdict, and the speeds of those that changed.
std::string verdict(const WorkloadChange& workload);
std::string verdict(const RunChange& runs);

}  // namespace trilane
