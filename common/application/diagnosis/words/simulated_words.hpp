// Lays the simulated device's predictions for an iteration out as a page.
#pragma once

#include "common/application/iteration/records/simulated_times.hpp"
#include "common/base/text/page.hpp"

namespace trilane {

/// Returns the model's error for the recorded calls, a row for each way, and what limits it.
Page simulated_page(const SimulatedTimes& times);

}  // namespace trilane
