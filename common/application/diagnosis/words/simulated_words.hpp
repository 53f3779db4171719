// What the simulated device predicts for an iteration, in words.
#pragma once

#include "common/application/iteration/records/simulated_times.hpp"
#include "common/base/text/page.hpp"

namespace trilane {

/// How far the model is off for the recorded calls, a row for each way, and what limits it.
Page simulated_page(const SimulatedTimes& times);

}  // namespace trilane
