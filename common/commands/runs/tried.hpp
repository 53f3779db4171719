// Pipelines are tried in a process of their own before anything is measured: an error of a user's
// kernel would leave the GPU unusable for all that follows.
#pragma once

#include <string>
#include <vector>

#include "common/commands/options/run_options.hpp"

namespace trilane {

/// Why a workload cannot be measured.
struct Refused {
  ExitCode code = exit_ok;  ///< exit_ok: it can
  std::string reason;
};

/// Runs `trilane pipeline check` on each workload of options.workloads that has a pipeline, on a
/// GPU; on the simulated device it only loads the kernels. Throws UsageError with its message,
/// which may be a compiler's, for what must be mended in the file, and NoGpu. One for each
/// workload.
std::vector<Refused> tried(const RunOptions& options);

/// The same for commands that need every workload: throws WrongResult and NotPossible.
void ensure_run(const RunOptions& options);
/// The same for a workload before knobs that the command will turn.
void ensure_runs(RunOptions options, const Workload& workload);

}  // namespace trilane
