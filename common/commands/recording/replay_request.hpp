// The replay that `trilane record` asks the injected library for, and what came of it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/application/outcome/replay_record.hpp"
#include "common/application/recording/records/application_recording.hpp"
#include "common/commands/options/given.hpp"

namespace trilane {

/// The options of a replay, for Command::groups.
std::vector<OptionRow> replay_options();

/// What the library reads in its environment; `file` gets the record. Empty with --no-replay.
/// Throws UsageError.
std::vector<std::pair<std::string, std::string>> replay_environment(
    const Given& given, const std::filesystem::path& file);

/// The record that the library left, with everything that follows from it and from the recording
/// that the application left; absent if the library left none. Throws std::invalid_argument if it
/// cannot be read.
std::optional<ReplayRecord> replay_in(const std::filesystem::path& file,
                                      const std::optional<ApplicationRecording>& recording);

}  // namespace trilane
