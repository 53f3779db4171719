// Parts of axes, each in a file of its own.
#pragma once

#include <string>

#include "common/measure/sweep/map/axis.hpp"

namespace trilane {

enum class AxisKind { size, count, time };

/// What the knob's values are. Needs a knob that is_sweepable(), like most_of().
AxisKind kind_of(const std::string& knob);

/// The largest value of the knob: bytes (1 PiB, more than any GPU has), a count, or microseconds.
double most_of(const std::string& knob);

/// Axis::unit of the knob.
std::string unit_of(const std::string& knob);

}  // namespace trilane
