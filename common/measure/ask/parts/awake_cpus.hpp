// Keeps the processors awake, to measure the cost of their sleep states.
#pragma once

#include <stop_token>
#include <thread>
#include <vector>

namespace trilane {

/// While it lives, a thread of the lowest priority spins on each other processor of this process,
/// so none goes to sleep. Any other thread preempts it at once.
class AwakeCpus {
 public:
  AwakeCpus();

 private:
  std::vector<std::jthread> spinners_;
};

}  // namespace trilane
