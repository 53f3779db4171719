// Starts and runs processes with one variant each, for a run or sweep.
#pragma once

#include "common/base/system/process.hpp"
#include "common/commands/options/run_options.hpp"
#include "common/measure/harness/apart_bench.hpp"
#include "common/measure/harness/host_buffers.hpp"

namespace trilane {

/// The processes of all contenders of a run or sweep, and the host memory that they share with this
/// one, large enough for all workloads. The processes end with this object.
class VariantProcesses {
 public:
  /// Starts all, and waits for that. Each opens the GPU at its first request. Throws NotPossible.
  VariantProcesses(const RunOptions& options, const BufferSizes& sizes);
  ~VariantProcesses();

  const SharedHost& host() const { return host_; }

  /// Returns a bench of the workload with that number, see serve_variant(), whose kernels do
  /// `rounds` rounds; valid as long as the processes run.
  ApartBench bench(std::size_t number, std::uint32_t rounds, std::function<void()> draw_input);

  /// Ends the process of that contender, and with it everything that it has on the GPU.
  void end(std::size_t contender);

 private:
  void wait_for(Process& child);

  SharedHost host_;
  std::vector<std::unique_ptr<Process>> children_;
  Workers workers_;
};

/// The resources with which the process of one variant was started.
struct WorkerPlace {
  std::size_t contender = 0;
  int socket = -1, memory = -1;
  BufferSizes sizes{};  ///< of the shared memory
};

/// Returns what this process was started with; nothing unless VariantProcesses started it.
std::optional<WorkerPlace> worker_place();

/// Measures one contender on requests from the other end of the socket, until that is closed.
/// `workload_of` returns the workload with a number. Returns the exit code.
int serve_variant(const RunOptions& options, const WorkerPlace& place,
                  const std::function<Workload(std::uint32_t number)>& workload_of);

}  // namespace trilane
