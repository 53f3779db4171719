// What was not the same around two runs.
#pragma once

#include <vector>

#include "common/diff/change.hpp"

namespace trilane {

/// Everything on record in which the surroundings of two runs differ, and that can matter to their
/// times: profile, GPU, driver, toolkit, clocks after the run, host, environment, revision. What
/// moves from minute to minute is left out, and so are temperature and power, which the clocks
/// follow from; what is empty in one of them reads "nothing".
std::vector<Difference> differences(const Context& before, const Context& now);

}  // namespace trilane
