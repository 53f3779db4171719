// Host functions (cudaLaunchHostFunc), which run on a separate thread.
#pragma once

#include <driver_types.h>

#include <functional>
#include <string>
#include <vector>

namespace trilane::simulator {

/// The end of a host function.
struct HostFunctionEnd {
  bool returned = false;           ///< within the patience; otherwise it still runs
  std::vector<std::string> calls;  ///< runtime functions that it called, which is an error
};

/// Runs `function` on a new thread and waits for it, at most `patience_s` seconds of real time. The
/// machine stays locked, so calls of other threads also wait. Throws std::system_error if no thread
/// can be started.
HostFunctionEnd run_host_function(std::function<void()> function, double patience_s);

/// Returns true if this thread is running a host function of the simulated device.
bool in_host_function();

/// Adds the runtime function `name` to HostFunctionEnd::calls and returns cudaErrorNotPermitted.
/// Does not touch the machine: the thread that has locked it waits for the host function.
cudaError_t refuse_in_host_function(const char* name);

}  // namespace trilane::simulator
