// The request of trilane sweep.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "common/measure/sweep/map/axis.hpp"
#include "common/model/workload/knobs.hpp"
#include "common/model/workload/workload.hpp"

namespace trilane {

/// A workload and the one or two knobs to vary.
struct SweepRequest {
  Axis columns;               ///< the first knob
  std::optional<Axis> rows;   ///< the second, if any
  Workload base;              ///< before any knob is applied
  Knobs knobs;                ///< applied in every cell
  double kernel_time_us = 0;  ///< in every cell; 0 keeps the rounds
  std::string command;        ///< the options that define the map
};

/// A cell's workload, and the kernel time for which rounds must still be found, or 0.
struct SweepPoint {
  Workload workload;
  double kernel_time_us = 0;
};

/// Returns the cell in that column and row. Throws UsageError if the knobs contradict each other.
SweepPoint point_at(const SweepRequest& request, std::size_t column, std::size_t row);

}  // namespace trilane
