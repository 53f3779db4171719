// Measures the cost of the driver's callbacks to the recorder.
#pragma once

#include <optional>

#include "common/application/iteration/records/recorded_listening.hpp"
#include "common/application/recorder/listening/subscription.hpp"

namespace trilane {

/// Returns the costs, by 400 of the recorder's own calls, which ask for the context's
/// device and change nothing; takes some 0.2 ms. Must be called in a callback, in which OwnCalls
/// marks such calls as not the application's. Absent if CUPTI does not call back for them.
std::optional<ListeningCosts> measured_costs(Subscription& subscription);

}  // namespace trilane
