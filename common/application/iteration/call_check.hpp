// Checks the calls and graphs of a recording's file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "common/application/iteration/records/application_recording.hpp"

namespace trilane {

/// Throws a Misfit of the member unless its value is an index into `count` of `what`.
void require_below(std::string_view member, std::uint64_t value, std::size_t count,
                   std::string_view what);

/// Throw a Misfit unless everything that the call or graph refers to is in the recording, and its
/// ranges are within their memory.
void check_call(const ApplicationRecording& recording, const RecordedCall& call);
void check_graph(const ApplicationRecording& recording, const RecordedGraph& graph);

}  // namespace trilane
