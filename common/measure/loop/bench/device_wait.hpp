// Sets for a while how the host waits for the device.
#pragma once

#include <boost/core/noncopyable.hpp>

#include "common/model/workload/wait.hpp"

namespace trilane {

/// While it lives, synchronising calls on the current device wait in this way; afterwards they spin
/// again. The constructor throws CudaError.
class DeviceWait : boost::noncopyable {
 public:
  explicit DeviceWait(Wait wait);
  ~DeviceWait();
};

}  // namespace trilane
