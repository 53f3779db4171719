// --calibrate: measures a GPU's profile and writes it to a file.
#pragma once

#include "common/commands/options/options.hpp"

namespace trilane {

/// Measures the profile of the chosen device, writes it to the file of --calibrate, prints how long
/// that took, and returns the exit code. Throws UsageError, OutputError, NoGpu and CudaError.
int calibrate(const Options& options);

}  // namespace trilane
