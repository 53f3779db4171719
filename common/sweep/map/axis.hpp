// One knob of a sweep and the values that it takes.
#pragma once

#include <boost/describe/class.hpp>
#include <string>
#include <vector>

#include "common/workload/knobs.hpp"

namespace trilane {

/// The knobs that can be swept, by the names of their options.
const std::vector<std::string>& sweepable_knobs();

/// A knob and its values, ascending and all different: bytes, counts, or microseconds.
struct Axis {
  std::string knob;
  std::string unit{};  ///< "bytes", "us", or nothing for a count
  std::vector<double> values;
  bool operator==(const Axis&) const = default;
};
BOOST_DESCRIBE_STRUCT(Axis, (), (knob, unit, values))

/// More values than this on an axis are refused: no map of them could be read.
inline constexpr std::size_t most_values = 32;

/// "chunk-size=4K..8M:12", twelve values in equal ratios; "chunks=2..256", by doubling;
/// "lanes=1,2,4", these, each once. Values in between are rounded to what people write: counts to
/// whole numbers, sizes and times to about 6%. Throws UsageError that names `option`, the value and
/// the way out.
Axis parse_axis(const std::string& option, const std::string& text);

/// The values alone, "4K..8M:12", for messages that name `place`.
std::vector<double> parse_values(const std::string& place, const std::string& knob,
                                 const std::string& text);

/// "64 KiB", "16", "40 us": a value as words have it.
std::string value_text(const std::string& knob, double value);

/// "64K", "16", "40us": the same for the edge of a map, and as it could be typed where it is short
/// enough.
std::string short_text(const std::string& knob, double value);

/// Turns the knob in `knobs`, or for kernel-time sets `kernel_time_us`.
void turn(const std::string& knob, double value, Knobs& knobs, double& kernel_time_us);

}  // namespace trilane
