// Host functions (cudaLaunchHostFunc): run on a thread of their own while the host waits.
#pragma once

#include <driver_types.h>

#include <functional>
#include <string>
#include <vector>

namespace trilane::simulator {

/// How a host function ended.
struct HostFunctionEnd {
  bool returned = false;           ///< within the patience; if not, it still runs
  std::vector<std::string> calls;  ///< runtime functions that it called, and may not
};

/// Runs `function` on a thread of its own and waits for it, but no longer than `patience_s` of real
/// time. The machine stays locked meanwhile: other threads' calls wait too.
HostFunctionEnd run_host_function(std::function<void()> function, double patience_s);

/// Whether this thread is running a host function of the simulated device.
bool in_host_function();

/// What a runtime function answers there, without touching the machine, whose owner waits for the
/// host function: cudaErrorNotPermitted. `name` shows in HostFunctionEnd::calls.
cudaError_t refuse_in_host_function(const char* name);

}  // namespace trilane::simulator
