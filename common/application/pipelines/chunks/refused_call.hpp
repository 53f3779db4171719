// Reports a call that no pipeline file can state.
#pragma once

#include <cstddef>
#include <string>

#include "common/application/iteration/records/application_recording.hpp"

namespace trilane {

/// Returns "kernel scale #7": a call as the diagnosis numbers it, from 0.
std::string words_of_call(const ApplicationRecording& recording, std::size_t call);

/// Throws UsageError: words_of_call(), a colon and `why`.
[[noreturn]] void refuse_call(const ApplicationRecording& recording, std::size_t call,
                              const std::string& why);

}  // namespace trilane
