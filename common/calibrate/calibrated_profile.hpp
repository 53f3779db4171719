// Calibration: measures the profile of a GPU and its host.
#pragma once

#include <functional>
#include <string>

#include "common/device/profile/profile.hpp"
#include "common/gpu/runtime/device.hpp"

namespace trilane {

/// Measures everything that a Profile holds on the open device; takes some seconds. `phase` hears
/// what is being measured. Nothing of it comes from a preset or a variant: only single operations,
/// pairs of them, and calls. Throws CudaError, and LaunchesBlock (gpu/runtime/gated_timer.hpp)
/// where nothing can be queued.
Profile calibrated_profile(const Device& device,
                           const std::function<void(const std::string&)>& phase);

}  // namespace trilane
