// Keeps the processors awake, to tell what their sleep costs.
#pragma once

#include <stop_token>
#include <thread>
#include <vector>

namespace trilane {

/// While it lives, a thread of the lowest priority spins on each other processor of this process,
/// so that none goes to sleep. Any other thread takes its place at once.
class AwakeCpus {
 public:
  AwakeCpus();

 private:
  std::vector<std::jthread> spinners_;
};

}  // namespace trilane
