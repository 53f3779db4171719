// A knob of a sweep and its values, and the request of trilane sweep.
#pragma once

#include "common/base/json/ranges.hpp"
#include "common/model/workload/knobs.hpp"

namespace trilane {

/// Returns true if the knob, named like its option, can be swept.
bool is_sweepable(const std::string& knob);

/// A knob and its values, ascending without duplicates: bytes, counts, or microseconds.
struct Axis {
  std::string knob;
  std::string unit{};  ///< "bytes", "us", or nothing for a count
  std::vector<double> values{};
};
BOOST_DESCRIBE_STRUCT(Axis, (), (knob, unit, values))
TRILANE_RANGES(Axis, Within<&R::values>{{1e-3, 0x1p60}})
/// Throws a Misfit unless an option can ask for the axis.
void cross_check(const Axis& axis);

/// The most values on an axis: a larger map would not be readable.
inline constexpr std::size_t most_values = 32;

/// Parses an axis: "chunk-size=4K..8M:12" gives twelve values in equal ratios, "chunks=2..256"
/// doubles, "lanes=1,2,4" lists them. Values in between are rounded, counts to whole numbers, sizes
/// and times to about 6%. Throws UsageError with `option`, the value and the remedy.
Axis parse_axis(const std::string& option, const std::string& text);

/// Returns a value in a sentence: "64 KiB", "16", "40 us".
std::string value_text(const std::string& knob, double value);

/// Returns a value at the edge of a map: "64K", "16", "40us".
std::string short_text(const std::string& knob, double value);

/// Returns the values to sweep next, "chunks=64..512": from twice the first value down, or from
/// half the last one up. Empty if the knob has no smaller, or no larger, values.
std::string range_before(const Axis& axis);
std::string range_after(const Axis& axis);

/// A workload and the one or two knobs to vary.
struct SweepRequest {
  Axis columns;                ///< the first knob
  std::optional<Axis> rows{};  ///< the second, if any
  Workload base;               ///< before any knob is applied
  Knobs knobs;                 ///< applied in every cell
  double kernel_time_us = 0;   ///< in every cell; 0 keeps the rounds
  std::string command;         ///< the options that define the map
};

/// A cell's workload, and the kernel time for which rounds must still be found, or 0.
struct SweepPoint {
  Workload workload{};
  double kernel_time_us = 0;
};

/// Returns the cell in that column and row. Throws UsageError if the knobs contradict each other.
SweepPoint point_at(const SweepRequest& request, std::size_t column, std::size_t row);

}  // namespace trilane
