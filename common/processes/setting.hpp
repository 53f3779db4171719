// Host memory and way of waiting, which are fixed within a process.
#pragma once

#include <string>
#include <vector>

#include "common/workload/wait.hpp"
#include "common/workload/workload.hpp"

namespace trilane {

/// A way to run that needs a process of its own: settings are compared across processes.
struct Setting {
  HostMemory host_memory = HostMemory::pinned;
  Wait wait = Wait::spin;
};

/// The setting as arguments: --host-memory=pageable, --wait=spin.
std::vector<std::string> arguments_of(const Setting& setting);

}  // namespace trilane
