// The replay that `trilane record` requests from the injected library, and its result, merged over
// processes.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/application/iteration/replay_record.hpp"
#include "common/commands/options/command_line.hpp"

namespace trilane {

using Environment = std::vector<std::pair<std::string, std::string>>;

/// Returns the environment that the library reads; `file` gets the record. Empty with --no-replay.
/// Throws UsageError.
Environment replay_environment(const Given& given, const std::filesystem::path& file);

/// Returns how many times the application runs. Throws UsageError.
std::uint32_t processes_in(const Given& given);

/// Returns the record that the library left, with everything that follows from it; absent if it
/// left none. Throws std::invalid_argument if it cannot be read.
std::optional<ReplayRecord> replay_in(const std::filesystem::path& file);

/// Returns one record with all samples, so that the intervals cover differences between processes,
/// and medians of the other times. Each record needs a comparison. Throws std::invalid_argument
/// without records, and if they are of different iterations.
ReplayRecord merged_replay(const std::vector<ReplayRecord>& records);

}  // namespace trilane
