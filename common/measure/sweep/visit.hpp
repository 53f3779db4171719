// One visit to a cell, on the device.
#pragma once

#include "common/measure/gpu/runtime/device.hpp"
#include "common/measure/harness/compare_variants.hpp"
#include "common/measure/harness/host_buffers.hpp"
#include "common/measure/sweep/map/regime_map.hpp"

namespace trilane {

/// Gives every cell that has not run its workload, or the reason why it cannot run here.
void plan_cells(RegimeMap& map, const SweepRequest& request, const ComparisonSettings& settings,
                const Device& device);

/// Returns sizes that suffice for every cell yet to visit. Throws NotPossible without memory.
BufferSizes buffer_sizes(const RegimeMap& map);

/// Resources to measure variants in processes of their own.
struct Apart {
  const SharedHost& host;  ///< large enough for the workload
  /// Returns a bench of the variants' processes for the workload, whose rounds were found.
  std::function<std::unique_ptr<Bench>(const Workload& found, std::function<void()> draw_input)>
      open;
};

/// Measures cells of one map.
class Visitor {
 public:
  /// `map` must outlive it and receives the results of the visits. Its cells must have workloads.
  Visitor(const ComparisonSettings& settings, const Device& device, const RegimeMap& map)
      : settings_(settings), device_(device), map_(map) {}

  /// Returns the cell after a comparison of at most `seconds` of measuring: in this process, or by
  /// `apart` unless null. Checks one pass of each variant before and one after, each on new input;
  /// a prediction checks nothing. Throws NotPossible, and CudaError for errors outside variants.
  Cell visit(const Cell& cell, double seconds, const HarnessListener& listener,
             const Apart* apart = nullptr);

  /// Returns true if an error in the last visit left the GPU unusable.
  bool lost() const { return lost_; }
  /// Returns true if a variant failed in the last visit, so that its process may be unusable.
  bool failed() const { return failed_; }

 private:
  /// Measures until the race is decided; returns the measuring time in seconds.
  double race(Comparison& comparison, double seconds, const HarnessListener& listener);
  /// Measures one variant after the other, each in its process; returns the time in seconds.
  double measure(Comparison& comparison, double seconds, const HarnessListener& listener,
                 const Apart& apart);
  Workload with_rounds(const Cell& cell) const;
  std::shared_ptr<HostBuffers> buffers();

  const ComparisonSettings& settings_;
  const Device& device_;
  const RegimeMap& map_;
  std::shared_ptr<HostBuffers> buffers_;  // of all cells that are measured in this process
  bool lost_ = false, failed_ = false;
};

}  // namespace trilane
