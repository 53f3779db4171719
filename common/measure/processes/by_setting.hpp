// The settings and command lines of a run's processes, and their merged results.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "common/model/results/results.hpp"
#include "common/model/workload/wait.hpp"
#include "common/model/workload/workload.hpp"

namespace trilane {

/// Settings that apply to a whole process. Several settings are compared across processes.
struct Setting {
  HostMemory host_memory = HostMemory::pinned;
  Wait wait = Wait::spin;
};

/// Returns the setting as arguments: --host-memory=pageable, --wait=spin.
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
std::vector<std::vector<std::string>> command_lines(const ProcessRequest& request,
                                                    std::uint64_t first_seed);

/// Merges the results of each setting, see merged(). They are in the order of command_lines(), and
/// the last ones may be missing. The result is ordered by workload, then setting. Throws as
/// merged() does.
Results merged_by_setting(std::span<const Results> of_processes, std::size_t settings);

}  // namespace trilane
