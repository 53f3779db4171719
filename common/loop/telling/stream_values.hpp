// Words that a stream waits for or writes, by the driver's own operations.
#pragma once

#include <cudaTypedefs.h>

namespace trilane {

using WriteValue = PFN_cuStreamWriteValue32_v11070;
using WaitValue = PFN_cuStreamWaitValue32_v11070;

/// The driver's functions without linking the driver, so that the program starts without one; null
/// where the driver has none. The runtime has no calls for these. Each throws CudaError.
WriteValue write_value_function();
WaitValue wait_value_function();

}  // namespace trilane
