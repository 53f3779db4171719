// Phrases a finding.
#pragma once

#include <string>

#include "common/application/iteration/records/finding.hpp"

namespace trilane {

/// Returns "cudaMemcpyAsync, 4 times, 260 us: ... (#2, #7). Possible gain: at most 80.0 us."
std::string sentence_on(const CallFinding& finding);

}  // namespace trilane
