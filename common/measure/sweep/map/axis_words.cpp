#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "common/measure/sweep/map/axis_parts.hpp"

namespace trilane {
namespace {

/// Returns the size in the largest unit with at most two decimals, because rounded neighbours could
/// look alike.
std::string exact_bytes(double bytes) {
  constexpr std::array units{"TiB", "GiB", "MiB", "KiB"};
  double scale = std::exp2(40);
  for (const char* unit : units) {
    const double value = bytes / scale;
    if (value >= 1 && value * 100 == std::round(value * 100)) {
      return fmt::format("{:.12g} {}", value, unit);
    }
    scale /= 1024;
  }
  return fmt::format("{:.0f} B", bytes);
}

/// Returns the value in the command line's syntax: "64K", "1100", "40us".
std::string typed(AxisKind kind, double value) {
  if (kind == AxisKind::time) return fmt::format("{:.6g}us", value);
  std::size_t unit = 0;
  constexpr std::array units{"", "K", "M", "G", "T"};
  while (kind == AxisKind::size && unit + 1 < units.size() && std::fmod(value, 1024) == 0) {
    value /= 1024;
    ++unit;
  }
  return fmt::format("{:.0f}{}", value, units[unit]);
}

double whole(AxisKind kind, double value) {
  switch (kind) {
    case AxisKind::size: return 4 * std::max(1.0, std::floor(value / 4));
    case AxisKind::count: return std::max(1.0, std::floor(value));
    case AxisKind::time: break;
  }
  return value;
}

}  // namespace

std::string value_text(const std::string& knob, double value) {
  switch (kind_of(knob)) {
    case AxisKind::size: return exact_bytes(value);
    case AxisKind::time: return fmt::format("{:.6g} us", value);
    case AxisKind::count: break;
  }
  return fmt::format("{:.0f}", value);
}

std::string short_text(const std::string& knob, double value) {
  const AxisKind kind = kind_of(knob);
  const double step = kind == AxisKind::size ? 1024 : 1000;
  const std::array units = kind == AxisKind::size   ? std::array{"", "K", "M", "G", "T", "P"}
                           : kind == AxisKind::time ? std::array{"us", "ms", "s", "", "", ""}
                                                    : std::array{"", "k", "M", "", "", ""};
  std::size_t unit = 0;
  for (; value >= step && *units[unit + 1] != '\0'; value /= step) ++unit;
  return fmt::format("{:.3g}{}", value, units[unit]);
}

std::string range_before(const Axis& axis) {
  constexpr double shortest_us = 1;
  const AxisKind kind = kind_of(axis.knob);
  const double first = axis.values.front();
  const double least = kind == AxisKind::time ? shortest_us : whole(kind, 0);
  if (!(first > least)) return "";
  return fmt::format("{}={}..{}", axis.knob, typed(kind, std::max(least, whole(kind, first / 4))),
                     typed(kind, whole(kind, first * 2)));
}

std::string range_after(const Axis& axis) {
  const AxisKind kind = kind_of(axis.knob);
  const double last = axis.values.back(), most = most_of(axis.knob);
  if (!(last < most)) return "";
  return fmt::format("{}={}..{}", axis.knob, typed(kind, whole(kind, last / 2)),
                     typed(kind, std::min(most, last * 4)));
}

}  // namespace trilane
