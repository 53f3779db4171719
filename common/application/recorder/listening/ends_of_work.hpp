// Which calls leave nothing under way.
#pragma once

#include "common/application/finding/core/application_recorder.hpp"

namespace trilane {

/// Whether nothing is under way, when the call returns, that CUPTI has yet to record.
bool ends_work(const ObservedCall& call);
/// Whether there is an iteration and it has such a call.
bool has_end_of_work(const ObservedIteration* iteration);

}  // namespace trilane
