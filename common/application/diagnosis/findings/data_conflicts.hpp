// Tells whether operations use the same data.
#pragma once

#include "common/application/iteration/records/recorded_call.hpp"

namespace trilane {

/// Returns false only if the calls are known to use different bytes or only to read.
bool may_conflict(const RecordedCall& one, const RecordedCall& other);

}  // namespace trilane
