// Settings that apply to whole processes: their arguments, and the merged results of each.
#pragma once

#include "common/measure/processes/run_processes.hpp"
#include "common/model/results/results.hpp"
#include "common/model/workload/workload.hpp"

namespace trilane {

/// How a GPU of several is measured: alone, at once with all others in a process for each GPU, or
/// at once in one process with a host thread for each.
BOOST_DEFINE_ENUM_CLASS(Together, alone, processes, threads)

/// Settings that apply to a whole process. Several settings are compared across processes.
struct Setting {
  HostMemory host_memory = HostMemory::pinned;
  Wait wait = Wait::spin;
  std::vector<int> devices{0};         ///< several: in one process, with a thread for each or split
  std::optional<Together> together{};  ///< absent with one GPU
  std::uint32_t gpus = 1;              ///< number that do the same work at the same time
};

/// Returns the setting as arguments: --host-memory=pageable, --wait=spin, --device=0, and with
/// several GPUs --together=alone.
std::vector<std::string> arguments_of(const Setting& setting);

/// The request for separate processes.
struct ProcessRequest {
  std::uint32_t count = 1;            ///< under each setting
  double seconds = 0;                 ///< measuring time of a workload in each process
  std::vector<Setting> settings{{}};  ///< each host memory with each way of waiting
  /// The given options except --processes, --time, the settings, --seed and the outputs.
  std::vector<std::string> arguments{};
};

/// Returns the given options with a process's own seed and measuring time.
std::vector<std::string> line_of_process(std::vector<std::string> arguments, std::uint64_t seed,
                                         double seconds);

/// Returns the arguments of each process: for each of request.count seeds, one process per setting.
std::vector<ProcessLine> command_lines(const ProcessRequest& request, std::uint64_t first_seed);

/// Merges the results of each setting, and of each GPU of a process, see merged(). `numbers` are
/// those of the processes in command_lines(), where some may be missing. The result is ordered by
/// workload, then setting. Throws as merged() does.
Results merged_by_setting(std::span<const Results> of_processes,
                          std::span<const std::size_t> numbers,
                          const std::vector<Setting>& settings);

}  // namespace trilane
