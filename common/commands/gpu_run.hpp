// Measures what a run asks for, on one GPU.
#pragma once

#include "common/commands/runs.hpp"
#include "common/commands/worker.hpp"
#include "common/measure/harness/tracing.hpp"

namespace trilane {

/// The place of a GPU among those that this process measures at the same time.
struct Seat {
  std::uint32_t number = 0;
  std::unique_ptr<Company> company{};     ///< of GPUs in step; null: it works alone
  VariantProcesses* processes = nullptr;  ///< those of all GPUs; null: it starts its own
};

/// Measures all workloads on the GPU options.device into `results`, whose files `console` keeps.
/// Traces every variant if `traces` is not null. Returns the exit code; errors of variants and
/// workloads are results. Throws NoGpu, NotPossible and UsageError before it measures.
ExitCode run_on_gpu(const RunOptions& options, const std::vector<Refused>& refused,
                    const std::string& command_line, Console& console, Seat seat, Results& results,
                    std::vector<ComparisonTrace>* traces = nullptr);

}  // namespace trilane
