// NVTX ranges of the application. NVTX loads the library that NVTX_INJECTION64_PATH names, and lets
// it replace the empty functions with its own; no other tool is needed.
#pragma once

#include <string>

#include "common/application/recorder/listening/listener.hpp"

namespace trilane {

/// Hands every range of that name to the listener from now on.
void hand_ranges_to(Listener& listener, const std::string& name);

}  // namespace trilane
