// Parts of axes, each defined in a file of its own.
#pragma once

#include <string>

#include "common/measure/sweep/map/axis.hpp"

namespace trilane {

enum class AxisKind { size, count, time };

/// Returns the kind of the knob's values. Like most_of(), needs a knob that is_sweepable().
AxisKind kind_of(const std::string& knob);

/// Returns the largest value of the knob: bytes (1 PiB, more than any GPU has), a count, or
/// microseconds.
double most_of(const std::string& knob);

/// Returns Axis::unit of the knob.
std::string unit_of(const std::string& knob);

}  // namespace trilane
