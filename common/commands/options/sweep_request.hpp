// What --sweep asks for.
#pragma once

#include <array>
#include <string>

#include "common/sweep/map/axis.hpp"
#include "common/workload/workload.hpp"

namespace trilane {

class Given;

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

/// Reads --sweep, which was given. Throws UsageError.
SweepRequest read_sweep(const Given& given);

/// The variants that a sweep compares unless it is told otherwise: of `known`, those that a user
/// would choose between; all of them where it knows none of these.
std::vector<std::string> main_variants(const std::vector<std::string>& known);

}  // namespace trilane
