// What --sweep asks for.
#pragma once

#include <cstddef>
#include <string>

#include "common/sweep/map/axis.hpp"
#include "common/workload/knobs.hpp"
#include "common/workload/workload.hpp"

namespace trilane {

/// One workload, in which two knobs are turned.
struct SweepRequest {
  Axis columns, rows;         ///< in the order in which they were given
  Workload base;              ///< before any knob is turned
  Knobs knobs;                ///< turned in every cell
  double kernel_time_us = 0;  ///< in every cell; 0: the rounds stand
  std::string command;        ///< the options that make the map what it is

  std::size_t cells() const { return columns.values.size() * rows.values.size(); }
};

/// One cell's workload, and the kernel time that its rounds are still to be found for, or 0.
struct SweepPoint {
  Workload workload;
  double kernel_time_us = 0;
};

/// The cell in that column and row. Throws UsageError when the knobs contradict each other there.
SweepPoint point_at(const SweepRequest& request, std::size_t column, std::size_t row);

}  // namespace trilane
