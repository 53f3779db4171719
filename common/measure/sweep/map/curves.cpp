#include "common/measure/sweep/map/curves.hpp"

#include <algorithm>
#include <cmath>

#include "common/measure/sweep/map/borders.hpp"

namespace trilane {
namespace {

/// Returns true if the knob changes the amount of computation per byte of input, or how much of it
/// is copied out.
bool changes_work(const std::string& knob) {
  return knob == "depth" || knob == "rounds" || knob == "kernel-time" || knob == "result-size";
}

Merit merit_of(const RegimeMap& map) {
  if (changes_work(map.columns.knob)) return Merit::none;
  const Cell* first = nullptr;
  for (const Cell& cell : map.cells) {
    if (cell.status != Status::ok) continue;
    if (first && cell.workload.bytes != first->workload.bytes) return Merit::time_per_byte;
    if (!first) first = &cell;
  }
  return Merit::time;
}

/// The ratio of two independent points, and the relative half widths of its interval.
struct OverBest {
  double estimate, down, up;
};

OverBest over(const CurvePoint& point, const CurvePoint& best) {
  const auto arm = [](double one, double other) {
    return std::hypot(std::log(one), std::log(other));
  };
  return {point.mean / best.mean, arm(point.mean / point.low, best.high / best.mean),
          arm(point.high / point.mean, best.mean / best.low)};
}

bool surely_flat(const OverBest& ratio) {
  return ratio.estimate * std::exp(ratio.up) <= 1 + flat_margin;
}

bool perhaps_flat(const OverBest& ratio) {
  return ratio.estimate * std::exp(-ratio.down) <= 1 + flat_margin;
}

/// Grows from `best` over neighbours that are `flat`. A value without a time ends it.
Span around(std::size_t best, const std::vector<std::optional<CurvePoint>>& points,
            bool (*flat)(const OverBest&)) {
  Span span{best, best};
  const auto is_flat = [&](std::size_t at) {
    return points[at] && flat(over(*points[at], *points[best]));
  };
  while (span.first > 0 && is_flat(span.first - 1)) --span.first;
  while (span.last + 1 < points.size() && is_flat(span.last + 1)) ++span.last;
  return span;
}

std::string further(const RegimeMap& map, const Optimum& optimum) {
  const std::size_t end = map.columns.values.size() - 1;
  const bool all_alike = optimum.within.first == 0 && optimum.within.last == end && end > 0;
  if (all_alike) return "";
  if (optimum.best == end) return range_after(map.columns);
  return optimum.best == 0 ? range_before(map.columns) : "";
}

}  // namespace

std::optional<CurvePoint> point_of(const RegimeMap& map, const std::string& variant,
                                   std::size_t position) {
  const Cell& cell = map.cells.at(position);
  const CellVariant* const found =
      cell.status == Status::ok ? find_variant(cell, variant) : nullptr;
  if (!found) return std::nullopt;
  const double bytes =
      map.merit == Merit::time_per_byte ? static_cast<double>(cell.workload.bytes) : 1;
  return CurvePoint{found->wall_us / bytes, found->wall_low_us / bytes,
                    found->wall_high_us / bytes};
}

std::optional<Optimum> optimum_of(const RegimeMap& map, const std::string& variant) {
  std::vector<std::optional<CurvePoint>> points;
  for (std::size_t at = 0; at < map.cells.size(); ++at) {
    points.push_back(point_of(map, variant, at));
  }
  Optimum optimum;
  const CurvePoint* best = nullptr;
  for (std::size_t at = 0; at < points.size(); ++at) {
    if (!points[at] || (best && !(points[at]->mean < best->mean))) continue;
    best = &*points[at];
    optimum.best = at;
  }
  if (!best || map.merit == Merit::none) return std::nullopt;
  optimum.within = around(optimum.best, points, surely_flat);
  optimum.perhaps = around(optimum.best, points, perhaps_flat);
  optimum.further = further(map, optimum);
  return optimum;
}

void find_regimes(RegimeMap& map) {
  find_borders(map);
  map.merit = Merit::none;
  map.curves.clear();
  map.findings.clear();
  if (map.rows) return;
  map.merit = merit_of(map);
  for (const std::string& variant : map.variants) {
    Curve& curve = map.curves.emplace_back();
    curve.variant = variant;
    curve.optimum = optimum_of(map, variant);
    curve.words = words_of(map, curve);
  }
  map.findings = findings_of(map);
}

}  // namespace trilane
