// Processes that have one variant each: how a run starts them, and what they do.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "common/commands/options/run_options.hpp"
#include "common/harness/apart/apart_bench.hpp"
#include "common/harness/bench/host_buffers.hpp"
#include "common/processes/child.hpp"

namespace trilane {

/// The processes of all contenders of a run, and the host memory that they share with this one.
/// They end with it.
class VariantProcesses {
 public:
  /// Starts all at once. Throws NotPossible.
  explicit VariantProcesses(const RunOptions& options);
  ~VariantProcesses();

  const SharedHost& host() const { return host_; }
  Workers& workers() { return workers_; }

 private:
  SharedHost host_;
  std::vector<std::unique_ptr<Child>> children_;
  Workers workers_;
};

/// Where the process of one variant finds what it was started with.
struct WorkerPlace {
  std::size_t contender = 0;
  int socket = -1, memory = -1;
};

/// Returns where this process finds it; nothing unless VariantProcesses started the process.
std::optional<WorkerPlace> worker_place();

/// Measures one contender of the run as the other end of the socket asks, until that is gone.
/// Returns the exit code.
int serve_variant(const RunOptions& options, const WorkerPlace& place);

}  // namespace trilane
