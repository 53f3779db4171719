// Tells which calls leave no work pending.
#pragma once

#include "common/application/finding/core/application_recorder.hpp"

namespace trilane {

/// Returns true if no work that CUPTI has yet to record is pending when the call returns.
bool ends_work(const ObservedCall& call);
/// Returns true if there is an iteration and it has such a call.
bool has_end_of_work(const ObservedIteration* iteration);

}  // namespace trilane
