// The processes of a run: their command lines, and their results in one.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "common/commands/options/options.hpp"
#include "common/processes/run_processes.hpp"

namespace trilane {

/// For each of options.processes seeds one process under every setting: neighbours are compared.
std::vector<std::vector<std::string>> command_lines(const Options& options);

/// The outcomes of each of so many settings as one, see merged(); they are in the order of
/// command_lines(), and the last ones may be missing. Workload by workload, and in each the
/// settings. Throws as merged().
Results merged_by_setting(std::span<const ProcessOutcome> outcomes, std::size_t settings);

}  // namespace trilane
