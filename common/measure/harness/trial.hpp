// Runs of a pipeline file's kernels before its variants: a watched trial, which reveals errors in
// the kernels, and the times of the kernels.
#pragma once

#include <stop_token>

#include "common/model/workload/file/pipeline_file.hpp"
#include "common/model/workload/steps.hpp"

namespace trilane {

/// Loads the kernels of the workload's pipeline and runs serial twice. Throws UsageError and
/// NotPossible as LoadedPipeline does. Throws WrongResult that names the kernel for:
/// - an error on the device,
/// - undeclared writes,
/// - results that differ between the two runs, or that nothing wrote.
/// A stage that takes longer than `limit_us` ends the process with exit_wrong and a message,
/// because nothing can stop a kernel. On the simulated device it only loads the kernels.
void run_trial(const Workload& workload, std::uint64_t seed, double limit_us);

/// Ends the process if a stage does not finish.
class StageWatchdog {
 public:
  StageWatchdog(const Pipeline& pipeline, double limit_us);

  /// Starts the time limit of a step. When it expires, a message on standard error names the step,
  /// and the process ends with exit_wrong.
  void start(const Step& step);
  void stop();

 private:
  void watch(const std::stop_token& stop);
  [[noreturn]] void give_up() const;

  const Pipeline& pipeline_;
  double limit_us_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  bool running_ = false;
  std::uint64_t turn_ = 0;  // of the step, to distinguish a new one from an old one
  std::uint32_t place_ = 0, chunk_ = 0;
  std::jthread thread_;
};

/// Returns the time of each kernel on a full chunk's data, alone on the device: the shortest of
/// several readings behind a gate. A fused kernel works on mapped host memory, as it does in a
/// pass. Throws the errors of LoadedPipeline and GatedTimer, and UsageError for a fused kernel with
/// pageable memory.
KernelTimes kernel_times(const Workload& workload, std::uint64_t seed);

}  // namespace trilane
