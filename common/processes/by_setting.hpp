// The processes of a run: their settings, their command lines, and their results in one.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "common/processes/run_processes.hpp"
#include "common/workload/wait.hpp"
#include "common/workload/workload.hpp"

namespace trilane {

/// A way to run everything that belongs to a process: several are compared across processes.
struct Setting {
  HostMemory host_memory = HostMemory::pinned;
  Wait wait = Wait::spin;
};

/// The setting as arguments: --host-memory=pageable, --wait=spin.
std::vector<std::string> arguments_of(const Setting& setting);

/// What runs in further processes.
struct ProcessRequest {
  std::uint32_t count = 1;            ///< under each setting
  std::vector<Setting> settings{{}};  ///< every host memory with every way of waiting
  /// Words for each process: what was given but --processes, the settings, --seed and the outputs.
  std::vector<std::string> arguments{};
};

/// For each of request.count seeds one process under every setting: neighbours are compared.
std::vector<std::vector<std::string>> command_lines(const ProcessRequest& request,
                                                    std::uint64_t first_seed);

/// The outcomes of each of so many settings as one, see merged(); they are in the order of
/// command_lines(), and the last ones may be missing. Workload by workload, and in each the
/// settings. Throws as merged().
Results merged_by_setting(std::span<const ProcessOutcome> outcomes, std::size_t settings);

}  // namespace trilane
