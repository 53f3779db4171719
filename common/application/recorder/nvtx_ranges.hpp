// NVTX ranges of the application. NVTX loads the library that NVTX_INJECTION64_PATH names, and lets
// it put functions of its own in the place of the empty ones; no other tool is needed for that.
#pragma once

#include <string>

#include "common/application/recorder/listening/listener.hpp"

namespace trilane {

/// From now on the listener gets every range of that name.
void hand_ranges_to(Listener& listener, const std::string& name);

}  // namespace trilane
