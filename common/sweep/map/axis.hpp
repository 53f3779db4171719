// A knob of a sweep and its values.
#pragma once

#include <boost/describe/class.hpp>
#include <string>
#include <vector>

#include "common/workload/knobs.hpp"

namespace trilane {

/// Whether the knob, named like its option, can be swept.
bool is_sweepable(const std::string& knob);

/// A knob and its values, ascending without duplicates: bytes, counts, or microseconds.
struct Axis {
  std::string knob;
  std::string unit{};  ///< "bytes", "us", or nothing for a count
  std::vector<double> values;
  bool operator==(const Axis&) const = default;
};
BOOST_DESCRIBE_STRUCT(Axis, (), (knob, unit, values))

/// The most values on an axis: a larger map would not be readable.
inline constexpr std::size_t most_values = 32;

/// "chunk-size=4K..8M:12" gives twelve values in equal ratios, "chunks=2..256" doubles,
/// "lanes=1,2,4" lists them. Values in between are rounded, counts to whole numbers, sizes and
/// times to about 6%. Throws UsageError with `option`, the value and how to fix it.
Axis parse_axis(const std::string& option, const std::string& text);

/// Reads the values alone, "4K..8M:12". Messages name `place`.
std::vector<double> parse_values(const std::string& place, const std::string& knob,
                                 const std::string& text);

/// A value in a sentence: "64 KiB", "16", "40 us".
std::string value_text(const std::string& knob, double value);

/// A value at the edge of a map: "64K", "16", "40us".
std::string short_text(const std::string& knob, double value);

/// Sets the knob in `knobs` or, for kernel-time, `kernel_time_us`.
void set_knob(const std::string& knob, double value, Knobs& knobs, double& kernel_time_us);

}  // namespace trilane
