// Calls that may order something: a wait that certainly orders nothing is useless.
#pragma once

#include <vector>

#include "common/application/diagnosis/order/happens_before.hpp"
#include "common/application/recording/records/application_recording.hpp"

namespace trilane {

/// For each call, whether it may order something that no earlier call has ordered: false only of
/// waits. Where the iteration repeats at once, the one before it counts, and `order` covers both.
/// Before a range or a stretch there may be work in any stream, and any event may be recorded; so
/// may one by a graph or a call whose effect is not known.
std::vector<bool> may_order(const ApplicationRecording& recording, const HappensBefore& order);

}  // namespace trilane
