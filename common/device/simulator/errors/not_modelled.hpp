// What happens when a runtime function is called that the simulated device does not model.
// No CUDA header: not_modelled.cpp defines functions under the names that those declare.
#pragma once

namespace trilane::simulator {

/// Prints "trilane: simulated device: NAME is not modelled" to stderr, once per name. With the
/// machine locked.
void print_not_modelled(const char* name);

/// The whole of such a function: prints its name and returns cudaErrorNotSupported.
int not_modelled(const char* name);

}  // namespace trilane::simulator
