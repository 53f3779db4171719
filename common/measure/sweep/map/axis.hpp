// A knob of a sweep and its values.
#pragma once

#include <boost/describe/class.hpp>
#include <string>
#include <vector>

#include "common/base/json/ranges.hpp"
#include "common/model/workload/knobs.hpp"

namespace trilane {

/// Returns true if the knob, named like its option, can be swept.
bool is_sweepable(const std::string& knob);

/// A knob and its values, ascending without duplicates: bytes, counts, or microseconds.
struct Axis {
  std::string knob;
  std::string unit{};  ///< "bytes", "us", or nothing for a count
  std::vector<double> values;
  bool operator==(const Axis&) const = default;
};
BOOST_DESCRIBE_STRUCT(Axis, (), (knob, unit, values))
constexpr auto ranges(const Axis*) { return std::tuple{Within<&Axis::values>{{1e-3, 0x1p60}}}; }

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

/// Sets the knob in `knobs` or, for kernel-time, `kernel_time_us`.
void set_knob(const std::string& knob, double value, Knobs& knobs, double& kernel_time_us);

}  // namespace trilane
