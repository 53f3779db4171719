// Says what to change in an application, and where.
#pragma once

#include "common/application/iteration/diagnosis.hpp"

namespace trilane {

/// Returns what to change, and why if that is not obvious: "allocate once, before the loop".
std::string advice_on(const CallFinding& finding);

/// Returns "At most 80.0 us: ...: cudaMemcpyAsync 4 times (call 2 and call 7).", or that the gain
/// is not known.
std::string sentence_on(const CallFinding& finding);

/// Returns, for example, "Certain: copy at call 12 on stream 2 writes bytes 0..4095 of memory 3
/// (device) while ..."
std::string sentence_on(const RecordedRace& race);

}  // namespace trilane
