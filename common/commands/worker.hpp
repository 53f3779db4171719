// Starts processes with one variant each, for a run or sweep, and measures on one GPU with them.
#pragma once

#include "common/base/system/process.hpp"
#include "common/commands/runs.hpp"
#include "common/measure/harness/apart_bench.hpp"
#include "common/measure/harness/host_buffers.hpp"
#include "common/measure/harness/tracing.hpp"

namespace trilane {

/// The processes of all contenders of a run or sweep, and the host memory that they share with this
/// one, large enough for all workloads. The processes end with this object.
class VariantProcesses {
 public:
  /// Starts all at once, and waits until they have started. Each opens the GPU at its first
  /// request. With several GPUs, each process has a host thread for each. Throws NotPossible.
  VariantProcesses(const RunOptions& options, const BufferSizes& sizes, std::uint32_t gpus = 1);
  ~VariantProcesses();

  const SharedHost& host(std::uint32_t gpu = 0) const { return gpus_[gpu].host; }

  /// Returns a bench of the workload with that number, see serve_variant(), whose kernels do
  /// `rounds` rounds; valid as long as the processes run.
  ApartBench bench(std::size_t number, std::uint32_t rounds, std::function<void()> draw_input,
                   std::uint32_t gpu = 0);

  /// Says that a GPU needs that contender no more. The last one ends its process, and with it
  /// everything that it has on the GPUs.
  void end(std::size_t contender, std::uint32_t gpu = 0);
  /// Says that a GPU needs no contender any more.
  void leave(std::uint32_t gpu);

 private:
  struct OfGpu {
    explicit OfGpu(const BufferSizes& sizes) : host(sizes) {}
    SharedHost host;
    Workers workers{};
  };

  std::deque<OfGpu> gpus_;
  std::mutex mutex_;  // of the members below, which the threads of all GPUs use
  std::vector<std::unique_ptr<Process>> children_;
  std::vector<std::uint32_t> users_;  // GPUs, by contender
};

/// The resources with which the process of one variant was started.
struct WorkerPlace {
  std::size_t contender = 0;
  BufferSizes sizes{};                      ///< of the shared memory
  std::vector<std::pair<int, int>> ends{};  ///< of each GPU: its socket and memory
};

/// Returns what this process was started with; nothing unless VariantProcesses started it.
std::optional<WorkerPlace> worker_place();

/// Measures one contender on requests from the other end of each socket, until that is closed.
/// `workload_of` returns the workload with a number. Returns the exit code.
int serve_variant(const RunOptions& options, const WorkerPlace& place,
                  const std::function<Workload(std::uint32_t number)>& workload_of);

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
