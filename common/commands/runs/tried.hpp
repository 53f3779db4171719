// Tries pipelines in a process of their own before anything is measured: an error of a user's
// kernel would make the GPU unusable for all that follows.
#pragma once

#include <string>
#include <vector>

#include "common/commands/options/run_options.hpp"

namespace trilane {

/// The reason why a workload cannot be measured.
struct Refused {
  ExitCode code = exit_ok;  ///< exit_ok: it can be
  std::string reason;
};

/// Runs `trilane pipeline check` on each workload of options.workloads that has a pipeline, on a
/// GPU; on the simulated device it only loads the kernels. Returns one result for each workload.
/// Throws NoGpu, and UsageError, whose message may be a compiler's, if the file must be mended.
std::vector<Refused> tried(const RunOptions& options);

/// Does the same for commands that need every workload: throws WrongResult and NotPossible.
void ensure_run(const RunOptions& options);
/// Does the same for a workload before the command turns its knobs.
void ensure_runs(RunOptions options, const Workload& workload);

}  // namespace trilane
