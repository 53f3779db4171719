// Lays the calls of an iteration out as a table.
#pragma once

#include "common/application/iteration/application_recording.hpp"
#include "common/base/text/page.hpp"

namespace trilane {

/// Returns a row for each call: its number, its place if that is known, what it does, its stream,
/// and when it and its operation begin and how long they take.
Page calls_page(const ApplicationRecording& recording);

}  // namespace trilane
