// Measures what it takes that the driver calls the recorder back.
#pragma once

#include <optional>

#include "common/application/iteration/records/recorded_listening.hpp"
#include "common/application/recorder/listening/subscription.hpp"

namespace trilane {

/// By some hundred calls of the recorder's own, which ask which device the context has and change
/// nothing; takes some 0.2 ms. To be called in a callback, where OwnCalls keeps the recorder's own
/// calls from being taken for the application's. Absent where CUPTI does not call back for them.
std::optional<ListeningCosts> measured_costs(Subscription& subscription);

}  // namespace trilane
