// Host memory and waiting: what one process cannot compare with another way.
#pragma once

#include <string>
#include <vector>

#include "common/workload/wait.hpp"
#include "common/workload/workload.hpp"

namespace trilane {

/// A way to run everything that belongs to a process: several are compared across processes.
struct Setting {
  HostMemory host_memory = HostMemory::pinned;
  Wait wait = Wait::spin;
};

/// The setting as arguments: --host-memory=pageable, --wait=spin.
std::vector<std::string> arguments_of(const Setting& setting);

}  // namespace trilane
