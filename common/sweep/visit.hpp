// One visit to a cell, on the device.
#pragma once

#include <memory>

#include "common/gpu/runtime/device.hpp"
#include "common/harness/bench/host_buffers.hpp"
#include "common/harness/comparison_settings.hpp"
#include "common/harness/rounds/harness.hpp"
#include "common/sweep/map/regime_map.hpp"

namespace trilane {

/// Gives every cell that has not run its workload, or the reason why it cannot run here.
void plan_cells(RegimeMap& map, const SweepRequest& request, const ComparisonSettings& settings,
                const Device& device);

/// Measures cells of one map, all with the same host buffers.
class Visitor {
 public:
  /// `map` must outlive it and gets the results of the visits. Its cells must have workloads.
  Visitor(const ComparisonSettings& settings, const Device& device, const RegimeMap& map)
      : settings_(settings), device_(device), map_(map) {}

  /// The cell after a comparison of at most `seconds`, not counting set-up and checks. Checks one
  /// pass of each variant before and one after, each on new input; a prediction checks nothing and
  /// takes one pass. Throws NotPossible, and
  /// CudaError for errors outside variants.
  Cell visit(const Cell& cell, double seconds, const HarnessListener& listener);

  /// Whether an error in the last visit left the GPU unusable.
  bool lost() const { return lost_; }

 private:
  /// Measures until the race is decided; returns the measuring time in seconds.
  double race(Comparison& comparison, double seconds, const HarnessListener& listener);
  void predict(Comparison& comparison, const HarnessListener& listener);
  Workload with_rounds(const Cell& cell) const;
  std::shared_ptr<HostBuffers> buffers();

  const ComparisonSettings& settings_;
  const Device& device_;
  const RegimeMap& map_;
  std::shared_ptr<HostBuffers> buffers_;
  bool lost_ = false;
};

}  // namespace trilane
