// Calibration: measures the profile of a GPU and its host.
#pragma once

#include "common/device/profile/profile.hpp"
#include "common/measure/gpu/runtime/device.hpp"

namespace trilane {

/// Raises the clocks of the current device, which rise under load.
void warm_up_for_calibration();

/// Measures all figures of a Profile on the open device, which is warm, in some seconds. Reports
/// what is being measured to `phase`. Throws CudaError and LaunchesBlock.
Profile calibrated_profile(const Device& device,
                           const std::function<void(const std::string&)>& phase);

}  // namespace trilane
