// The kernels of a pipeline file, compiled and loaded onto the current device.
#pragma once

#include "common/measure/gpu/stages.hpp"

namespace trilane {

class LoadedPipeline {
 public:
  /// Compiles what is not in the cache, loads it, and checks arguments and sizes against the
  /// kernels. On the simulated device kernels are only declared, with their accesses and times.
  /// Without a pipeline file there are no kernels. Throws UsageError and NotPossible.
  explicit LoadedPipeline(const Workload& workload);

  FileKernels kernels() const;

 private:
  struct Launches {
    std::unique_ptr<FileLaunch> full, last;
  };

  std::vector<std::shared_ptr<const void>> owners_;  // of functions and modules
  std::vector<Launches> kernels_;
  Launches fused_;
};

}  // namespace trilane
