// Shows pages and the results of the last run, and reads any file that a command wrote.
#pragma once

#include "common/application/iteration/application_recording.hpp"
#include "common/commands/options/run_options.hpp"
#include "common/device/profile/profile.hpp"
#include "common/measure/ask/reply.hpp"
#include "common/measure/loop/results/loop_results.hpp"

namespace trilane {

/// Returns the page as text for a terminal, or as Markdown.
std::string shown(const Page& page, const ShowOptions& options);

/// Returns the screen of a run, or its answers alone. `file` holds the results: "--json FILE", or
/// empty for the last run's. The screen says how to see more of them.
std::string screen_of(const Results& results, const std::string& file, const ShowOptions& options);

/// Returns the commands that show more of a recording. `pipeline`: it can become a pipeline file.
std::string more_on(const std::string& recording, const std::string& results,
                    bool pipeline = false);

/// Returns where the results of the last run without --json are kept for trilane show:
/// $XDG_STATE_HOME/trilane/last.json, by default below ~/.local/state. Empty without a home.
std::string last_results_path();

/// Keeps the results there. They are a convenience: errors are ignored.
void keep_last_results(const Results& results) noexcept;

/// The output of run, ask, loop or calibrate.
using Written = std::variant<Results, Replies, LoopResults, Profile>;

/// Reads a file by its schema. Throws UsageError, "label 'path': why".
Written load_written(const std::string& label, const std::string& path);

/// Does the same for a file that must be of one kind.
Results load_results(const std::string& label, const std::string& path);
Replies load_replies(const std::string& label, const std::string& path);
LoopResults load_loops(const std::string& label, const std::string& path);
ApplicationRecording load_recording(const std::string& label, const std::string& path);

}  // namespace trilane
