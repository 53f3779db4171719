// Reads any file that a command wrote with --json, --results or --save.
#pragma once

#include <variant>

#include "common/application/iteration/application_recording.hpp"
#include "common/measure/ask/reply.hpp"
#include "common/measure/loop/results/loop_results.hpp"
#include "common/model/results/results.hpp"

namespace trilane {

/// The output of run, ask or loop.
using Written = std::variant<Results, Replies, LoopResults>;

/// Reads a file by its schema. Throws UsageError, "label 'path': why".
Written load_written(const std::string& label, const std::string& path);

/// Does the same for a file that must be of one kind.
Results load_results(const std::string& label, const std::string& path);
Replies load_replies(const std::string& label, const std::string& path);
LoopResults load_loops(const std::string& label, const std::string& path);
ApplicationRecording load_recording(const std::string& label, const std::string& path);

}  // namespace trilane
