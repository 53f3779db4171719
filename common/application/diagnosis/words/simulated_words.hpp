// What the simulated device predicts for an iteration, in words.
#pragma once

#include "common/application/diagnosis/records/simulated_times.hpp"
#include "common/text/page.hpp"

namespace trilane {

/// How far the model is off for the recorded calls, a row for each way, and what limits it.
Page simulated_page(const SimulatedTimes& times);

}  // namespace trilane
