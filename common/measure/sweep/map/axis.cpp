#include "common/measure/sweep/map/axis.hpp"

#include "common/base/json/misfit.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/base/text/size.hpp"
#include "common/base/text/words.hpp"

namespace trilane {
namespace {

enum class AxisKind { size, count, time };

using Set = void (*)(Knobs& knobs, double& kernel_time_us, double value);

template <auto member>
void set(Knobs& knobs, double&, double value) {
  auto& knob = knobs.*member;
  knob = static_cast<typename std::remove_reference_t<decltype(knob)>::value_type>(value);
}

void set_kernel_time(Knobs&, double& kernel_time_us, double value) { kernel_time_us = value; }

struct Sweepable {
  const char* name;
  AxisKind kind;
  Set set;
  double most = 0x1p50;  // bytes (1 PiB, more than any GPU), a count, or microseconds
};

constexpr std::array all_sweepable{
    Sweepable{"chunks", AxisKind::count, set<&Knobs::chunks>, max_chunks},
    Sweepable{"chunk-size", AxisKind::size, set<&Knobs::chunk_size>},
    Sweepable{"result-size", AxisKind::size, set<&Knobs::result_size>},
    Sweepable{"lanes", AxisKind::count, set<&Knobs::lanes>, max_lanes},
    Sweepable{"depth", AxisKind::count, set<&Knobs::depth>, max_depth},
    Sweepable{"rounds", AxisKind::count, set<&Knobs::rounds>, max_rounds},
    Sweepable{"kernel-time", AxisKind::time, set_kernel_time, max_kernel_time_us},
    Sweepable{"size", AxisKind::size, set<&Knobs::size>},
    Sweepable{"stride", AxisKind::size, set<&Knobs::stride>}};

/// Needs a knob that is_sweepable().
const Sweepable& sweepable(const std::string& knob) {
  return *std::ranges::find(all_sweepable, knob, &Sweepable::name);
}

std::string unit_of(const std::string& knob) {
  const AxisKind kind = sweepable(knob).kind;
  return kind == AxisKind::size ? "bytes" : kind == AxisKind::time ? "us" : "";
}

double parse_value(const std::string& place, const std::string& knob, const std::string& text) {
  const Sweepable& entry = sweepable(knob);
  if (entry.kind == AxisKind::size) return static_cast<double>(parse_size(place, text));
  if (entry.kind == AxisKind::time) return parse_time_us(place, text, 0, max_kernel_time_us);
  return static_cast<double>(parse_count(place, text, 1, static_cast<std::uint64_t>(entry.most)));
}

/// Rounds a value within the range to one that people would write.
double rounded(AxisKind kind, double value) {
  if (kind == AxisKind::count) return std::round(value);
  if (kind == AxisKind::time) {
    const double step = std::pow(10.0, std::floor(std::log10(value)) - 1);
    return std::round(value / step) * step;
  }
  const double step = std::max(4.0, std::exp2(std::floor(std::log2(value)) - 3));
  return std::round(value / step) * step;
}

std::vector<double> geometric(AxisKind kind, double first, double last, std::size_t count) {
  std::vector<double> values{first};
  for (std::size_t i = 1; i + 1 < count; ++i) {
    const double part = static_cast<double>(i) / static_cast<double>(count - 1);
    values.push_back(rounded(kind, first * std::pow(last / first, part)));
  }
  values.push_back(last);
  return values;
}

std::vector<double> doubled(double first, double last) {
  std::vector<double> values;
  for (double value = first; value < last && values.size() <= most_values; value *= 2) {
    values.push_back(value);
  }
  values.push_back(last);
  return values;
}

std::vector<double> parse_range(const std::string& place, const std::string& knob,
                                const std::string& text, std::size_t dots) {
  const std::size_t colon = text.find(':', dots);
  const double first = parse_value(place, knob, text.substr(0, dots));
  const double last = parse_value(place, knob, text.substr(dots + 2, colon - dots - 2));
  if (!(first < last)) refuse(place, text, "does not ascend; write the smaller value first");
  if (colon == text.npos) return doubled(first, last);
  const std::uint64_t count = parse_count(place, text.substr(colon + 1), 2, most_values);
  return geometric(sweepable(knob).kind, first, last, count);
}

std::vector<double> parse_list(const std::string& place, const std::string& knob,
                               const std::string& text) {
  std::vector<double> values;
  for (const std::string& word : split(text, ',')) {
    const double value = parse_value(place, knob, word);
    if (includes(values, value)) {
      refuse(place, word, "is named more than once; leave one out");
    }
    values.push_back(value);
  }
  return values;
}

std::vector<double> parse_values(const std::string& place, const std::string& knob,
                                 const std::string& text) {
  const std::size_t dots = text.find("..");
  std::vector<double> values =
      dots == text.npos ? parse_list(place, knob, text) : parse_range(place, knob, text, dots);
  std::ranges::sort(values);
  values.erase(std::ranges::unique(values).begin(), values.end());
  if (values.size() > most_values) {
    refuse(place, text, "is more than {} values; end it with :12 for twelve", most_values);
  }
  return values;
}

/// Returns the size in the largest unit with at most two decimals: rounded ones could look alike.
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
  if (kind == AxisKind::time) return value;
  const double unit = kind == AxisKind::size ? 4 : 1;
  return unit * std::max(1.0, std::floor(value / unit));
}

}  // namespace

bool is_sweepable(const std::string& knob) {
  return includes(all_sweepable, knob, &Sweepable::name);
}

void cross_check(const Axis& axis) {
  if (!is_sweepable(axis.knob)) {
    throw Misfit{".knob", fmt::format("is \"{}\", which is not known", axis.knob)};
  }
  if (axis.unit != unit_of(axis.knob)) {
    throw Misfit{".unit", fmt::format("is \"{}\", and that of {} is \"{}\"", axis.unit, axis.knob,
                                      unit_of(axis.knob))};
  }
  const std::size_t count = axis.values.size();
  if (count == 0 || count > most_values) {
    throw Misfit{".values", fmt::format("has {} entries and may have 1 to {}", count, most_values)};
  }
  if (std::ranges::adjacent_find(axis.values, std::greater_equal()) != axis.values.end()) {
    throw Misfit{".values", "do not ascend"};
  }
  const auto possible = [&](double value) {
    const bool whole = sweepable(axis.knob).kind == AxisKind::time || value == std::floor(value);
    return whole && value <= sweepable(axis.knob).most;
  };
  const auto wrong = std::ranges::find_if_not(axis.values, possible);
  if (wrong != axis.values.end()) {
    throw Misfit{".values", fmt::format("has {}, which the knob {} cannot be", *wrong, axis.knob)};
  }
}

Axis parse_axis(const std::string& option, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == text.npos) {
    refuse(option, text,
           "is not a knob with values; write it like chunk-size=4K..8M:12, chunks=2..256 or "
           "lanes=1,2,4");
  }
  Axis axis{.knob = text.substr(0, equals)};
  if (!is_sweepable(axis.knob)) {
    const auto names = std::views::transform(all_sweepable, &Sweepable::name);
    refuse(option, axis.knob, "cannot be swept; choose from {}", fmt::join(names, ", "));
  }
  axis.unit = unit_of(axis.knob);
  axis.values = parse_values(option + " " + axis.knob, axis.knob, text.substr(equals + 1));
  return axis;
}

std::string value_text(const std::string& knob, double value) {
  switch (sweepable(knob).kind) {
    case AxisKind::size: return exact_bytes(value);
    case AxisKind::time: return fmt::format("{:.6g} us", value);
    case AxisKind::count: break;
  }
  return fmt::format("{:.0f}", value);
}

std::string short_text(const std::string& knob, double value) {
  const AxisKind kind = sweepable(knob).kind;
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
  const AxisKind kind = sweepable(axis.knob).kind;
  const double first = axis.values.front();
  const double least = kind == AxisKind::time ? shortest_us : whole(kind, 0);
  if (!(first > least)) return "";
  return fmt::format("{}={}..{}", axis.knob, typed(kind, std::max(least, whole(kind, first / 4))),
                     typed(kind, whole(kind, first * 2)));
}

std::string range_after(const Axis& axis) {
  const Sweepable& knob = sweepable(axis.knob);
  const double last = axis.values.back();
  if (!(last < knob.most)) return "";
  return fmt::format("{}={}..{}", axis.knob, typed(knob.kind, whole(knob.kind, last / 2)),
                     typed(knob.kind, std::min(knob.most, last * 4)));
}

SweepPoint point_at(const SweepRequest& request, std::size_t column, std::size_t row) {
  Knobs knobs = request.knobs;
  SweepPoint point{.kernel_time_us = request.kernel_time_us};
  const auto set = [&](const Axis& axis, std::size_t at) {
    sweepable(axis.knob).set(knobs, point.kernel_time_us, axis.values.at(at));
  };
  set(request.columns, column);
  if (request.rows) set(*request.rows, row);
  point.workload = turned(request.base, knobs);
  point.workload.modified = true;
  return point;
}

}  // namespace trilane
