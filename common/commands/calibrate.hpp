// The calibrating run: from a GPU to a profile in a file.
#pragma once

#include "common/commands/options/options.hpp"

namespace trilane {

/// Measures the profile of the chosen device, writes it to the file of --calibrate, says in a line
/// how long that took, and returns the exit code. Throws UsageError, OutputError, NoGpu and
/// CudaError.
int calibrate(const Options& options);

}  // namespace trilane
