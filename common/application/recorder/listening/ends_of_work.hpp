// Which calls leave nothing under way.
#pragma once

#include "common/application/recording/core/application_recorder.hpp"

namespace trilane {

/// Whether nothing is under way, when the call returns, that CUPTI has yet to record.
bool ends_work(const ObservedCall& call);
/// Whether the iteration has such a call; not if there is none.
bool has_end_of_work(const ObservedIteration* iteration);

}  // namespace trilane
