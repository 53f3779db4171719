// A finding in a sentence.
#pragma once

#include <string>

#include "common/application/diagnosis/records/finding.hpp"

namespace trilane {

/// "cudaMemcpyAsync, 4 times, 260 us (calls #2, #7): ..."
std::string sentence_on(const CallFinding& finding);

}  // namespace trilane
