#include "common/commands/runs/tried.hpp"

#include <fmt/format.h>

#include "common/base/console/interrupt.hpp"
#include "common/device/flavour/flavour.hpp"
#include "common/measure/harness/bench/trial.hpp"
#include "common/measure/processes/run_processes.hpp"

namespace trilane {
namespace {

std::vector<std::string> arguments_for(const RunOptions& options, const Workload& workload) {
  const Pipeline& pipeline = *workload.pipeline;
  std::vector<std::string> arguments{"pipeline", "check"};
  if (pipeline.stated_in_file) {
    arguments.push_back("--pipeline=" + pipeline.file);
  } else {
    arguments.push_back(
        fmt::format("--kernel={}:{}", pipeline.file, pipeline.kernels.front().name));
  }
  for (const std::string& knob : options.pipeline_knobs) arguments.push_back(knob);
  arguments.push_back(fmt::format("--device={}", options.device.number));
  arguments.push_back(fmt::format("--seed={}", options.comparison.seed));
  arguments.push_back(fmt::format("--kernel-limit={}us", options.kernel_limit_us));
  return arguments;
}

Refused tried(const RunOptions& options, const Workload& workload) {
  const InterruptGuard guard;
  const ChildEnd end = run_child(arguments_for(options, workload));
  switch (end.code) {
    case exit_ok: return {};
    case exit_usage: throw UsageError(end.message);
    case exit_no_gpu: throw NoGpu(end.message);
    case exit_not_possible: return {exit_not_possible, end.message};
    default: return {exit_wrong, end.message};
  }
}

}  // namespace

std::vector<Refused> tried(const RunOptions& options) {
  std::vector<Refused> all;
  for (const Workload& workload : options.workloads) {
    Refused& refused = all.emplace_back();
    if (!workload.pipeline) continue;
    if (profile_in_use() == nullptr) {
      refused = tried(options, workload);
    } else {
      run_trial(workload, options.comparison.seed, options.kernel_limit_us);
    }
  }
  return all;
}

void ensure_run(const RunOptions& options) {
  for (const Refused& refused : tried(options)) {
    if (refused.code == exit_not_possible) throw NotPossible(refused.reason);
    if (refused.code != exit_ok) throw WrongResult(refused.reason);
  }
}

void ensure_runs(RunOptions options, const Workload& workload) {
  options.workloads = {workload};
  options.pipeline_knobs.clear();
  ensure_run(options);
}

}  // namespace trilane
