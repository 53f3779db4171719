// Differences between the environments of two runs.
#pragma once

#include <vector>

#include "common/diff/change.hpp"

namespace trilane {

/// Every recorded difference that can affect times: profile, GPU, driver, toolkit, clocks after the
/// run, host, environment variables, revision. Values that change from minute to minute are left
/// out, and so are temperature and power, which show in the clocks. An empty value reads "nothing".
std::vector<Difference> differences(const Context& before, const Context& now);

}  // namespace trilane
