// The reaction to a request that the simulated device does not model. No CUDA header: the generated
// file that includes this defines functions under the names that cuda_runtime_api.h declares, with
// other signatures.
#pragma once

namespace trilane::simulator {

/// Prints "trilane: simulated device: WHAT is not modelled" to stderr, once for each `what`, and
/// throws Refusal (cudaErrorNotSupported). The machine must be locked.
[[noreturn]] void refuse_not_modelled(const char* what);

/// Serves as the body of a runtime function that is not modelled: prints its name, returns
/// cudaErrorNotSupported.
int not_modelled(const char* name);

}  // namespace trilane::simulator
