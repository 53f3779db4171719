#include "common/measure/sweep/map/regimes.hpp"

#include "common/base/text/words.hpp"
#include "common/explain/analysis/verdict/verdict.hpp"

namespace trilane {
namespace {

/// Returns true if the knob changes the computation per byte of input, or how much is copied out.
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

/// Returns the ratio of two independent points.
Ratio over(const CurvePoint& point, const CurvePoint& best) {
  const auto arm = [](double one, double other) {
    return std::hypot(std::log(one), std::log(other));
  };
  const double ratio = point.mean / best.mean;
  return {ratio, ratio * std::exp(-arm(point.mean / point.low, best.high / best.mean)),
          ratio * std::exp(arm(point.high / point.mean, best.mean / best.low))};
}

/// Grows from `best` over timed neighbours with that end of the interval within the margin.
Span around(std::size_t best, const std::vector<std::optional<CurvePoint>>& points,
            double Ratio::*end) {
  Span span{best, best};
  const auto is_flat = [&](std::size_t at) {
    return points[at] && over(*points[at], *points[best]).*end <= 1 + flat_margin;
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

std::string place_of(const Axis& axis, std::size_t at) {
  const double value = axis.values.at(at);
  if (!axis.knob.ends_with('s')) {
    return fmt::format("at {} {}", in_words(axis.knob), value_text(axis.knob, value));
  }
  const std::string noun = in_words(axis.knob).substr(0, axis.knob.size() - 1);
  return "with " + counted(static_cast<std::uint64_t>(value), noun);
}

/// Returns "5500 us", "21.5 us per MiB".
std::string amount(const RegimeMap& map, double value) {
  if (map.merit != Merit::time_per_byte) return short_time(value) + " us";
  return short_time(value * 1024 * 1024) + " us per MiB";
}

/// Returns "8 to 32".
std::string range(const Axis& axis, const Span& span) {
  return fmt::format("{} to {}", value_text(axis.knob, axis.values.at(span.first)),
                     value_text(axis.knob, axis.values.at(span.last)));
}

/// Returns "5500 us [5480, 5520]": with the interval, if it is not a point.
std::string amount_with_interval(const RegimeMap& map, const CurvePoint& point, Covers covers) {
  const double scale = map.merit == Merit::time_per_byte ? 1024 * 1024 : 1;
  const std::string low = short_time(point.low * scale), high = short_time(point.high * scale);
  const std::string text = amount(map, point.mean);
  return low == high ? text : text + " " + range_text(covers, low, high);
}

std::string flatness(const Axis& axis, const Optimum& found) {
  const std::string margin = percent(flat_margin);
  const auto alone = [](const Span& span) { return span.first == span.last; };
  const bool more =
      found.perhaps.first < found.within.first || found.perhaps.last > found.within.last;
  if (found.within.first == 0 && found.within.last + 1 == axis.values.size()) {
    return alone(found.within) ? "" : fmt::format("; every value is within {}", margin);
  }
  if (!alone(found.within)) {
    return fmt::format("; {} within {}{}", range(axis, found.within), margin,
                       more ? fmt::format(", {} perhaps", range(axis, found.perhaps)) : "");
  }
  if (more) return fmt::format("; {} perhaps within {}", range(axis, found.perhaps), margin);
  return fmt::format("; no other value within {}", margin);
}

/// Returns a note if the best value is an end of the range and that matters.
std::string end_text(const Axis& axis, const Optimum& found) {
  const std::size_t last = axis.values.size() - 1;
  const bool smallest = found.best == 0, largest = found.best == last;
  if (last == 0 || (!smallest && !largest)) return "";
  // The knob makes no difference.
  if (found.within.first == 0 && found.within.last == last) return "";
  return fmt::format(", the {} value {}", smallest ? "smallest" : "largest",
                     found.further.empty() ? "there is" : "tried");
}

/// Returns only the knob's effect on the time, because its values have different work.
std::string growth(const RegimeMap& map, const std::string& variant) {
  std::vector<std::string> ends;
  for (std::size_t at = 0; at < map.cells.size(); ++at) {
    const auto point = point_of(map, variant, at);
    if (!point) continue;
    if (ends.size() == 2) ends.pop_back();
    ends.push_back(amount(map, point->mean) + " " + place_of(map.columns, at));
  }
  return ends.empty() ? "no times" : fmt::format("{}", fmt::join(ends, ", "));
}

struct Best {
  const Curve* curve;
  CurvePoint point;
};

std::vector<Best> bests_of(const RegimeMap& map, Tier tier) {
  std::vector<Best> all;
  for (const Curve& curve : map.curves) {
    if (!curve.optimum || tier_of(map, curve.variant) != tier) continue;
    all.push_back({&curve, *point_of(map, curve.variant, curve.optimum->best)});
  }
  std::ranges::stable_sort(all, {}, [](const Best& best) { return best.point.mean; });
  return all;
}

/// Returns the factor below which times of different variants are indistinguishable: because
/// processes differ or, in a simulated sweep, by the model's error, which ratios include.
double told_apart(const RegimeMap& map) {
  double factor = 1 + tie_margin;
  if (map.context.simulated.empty()) return factor;
  for (const Cell& cell : map.cells) {
    for (const CellVariant& entry : cell.variants) {
      factor = std::max(factor, entry.high / entry.over_winner);
    }
  }
  return factor;
}

/// Moves the variant to name first to the front: the fastest or, among indistinguishable
/// predictions, the reference or the first, which is the plainest.
std::vector<Best> named_first(const RegimeMap& map, std::vector<Best> bests) {
  if (map.context.simulated.empty()) return bests;
  const double most = bests.front().point.mean * told_apart(map);
  const auto rank = [&](const Best& best) {
    if (best.point.mean >= most) return map.variants.size() + 1;
    if (best.curve->variant == map.reference) return std::size_t{0};
    return 1 + static_cast<std::size_t>(best.curve - map.curves.data());
  };
  std::ranges::stable_sort(bests, {}, rank);
  return bests;
}

/// Returns "streams with 16 chunks, 5500 us (graph and pool tie)".
std::string fastest_text(const RegimeMap& map, const std::vector<Best>& bests,
                         const CurvePoint& fastest) {
  std::vector<std::string> tied;
  for (const Best& best : bests) {
    const bool ties =
        best.point.mean < fastest.mean * told_apart(map) || best.point.low <= fastest.high;
    if (&best != &bests.front() && ties) tied.push_back(best.curve->variant);
  }
  const Best& first = bests.front();
  const std::string others =
      tied.empty() ? "" : fmt::format(" ({} {})", listed(tied), tied.size() == 1 ? "ties" : "tie");
  return fmt::format("{} {}, {}{}", first.curve->variant,
                     place_of(map.columns, first.curve->optimum->best),
                     amount(map, first.point.mean), others);
}

/// Returns the value with the shortest mean; nothing without times. Another value, with all between
/// them, is `within` the margin if the whole interval of its ratio to the best lies there, and
/// `perhaps` if a part does. The squares of independent relative half widths add up.
std::optional<Optimum> optimum_of(const RegimeMap& map, const std::string& variant) {
  std::vector<std::optional<CurvePoint>> points;
  for (std::size_t at = 0; at < map.cells.size(); ++at) {
    points.push_back(point_of(map, variant, at));
  }
  const auto best = std::ranges::min_element(points, {}, [](const auto& point) {
    return point ? point->mean : std::numeric_limits<double>::infinity();
  });
  if (!*best || map.merit == Merit::none) return std::nullopt;
  Optimum optimum;
  optimum.best = static_cast<std::size_t>(best - points.begin());
  optimum.within = around(optimum.best, points, &Ratio::high);
  optimum.perhaps = around(optimum.best, points, &Ratio::low);
  optimum.further = further(map, optimum);
  return optimum;
}

/// Returns "5500 us with 16 chunks; 8 to 32 within 2%". If the best value is an end of the range,
/// says so and what to sweep next. Without a merit returns the times at both ends.
std::string words_of(const RegimeMap& map, const Curve& curve) {
  if (!curve.optimum) return growth(map, curve.variant);
  const Optimum& found = *curve.optimum;
  const CurvePoint best = *point_of(map, curve.variant, found.best);
  const std::string next =
      found.further.empty() ? "" : fmt::format(". Sweep further: {}", found.further);
  const Covers covers = covers_of(map.cells.at(found.best));
  return fmt::format("{} {}{}{}{}", amount_with_interval(map, best, covers),
                     place_of(map.columns, found.best), end_text(map.columns, found),
                     flatness(map.columns, found), next);
}

/// Returns "same operations: graph with 16 chunks, 5480 us (streams ties)": the fastest of each
/// tier at its best value. A tier that changes more of the program is omitted unless it is faster.
std::vector<std::string> findings_of(const RegimeMap& map) {
  std::vector<std::string> lines;
  std::optional<Best> before;  // named for the previous tier
  double shortest = 0;
  for (const Tier tier : enumerators<Tier>) {
    const std::vector<Best> by_time = bests_of(map, tier);
    if (by_time.empty()) continue;
    const CurvePoint fastest = by_time.front().point;
    // A larger change of the program that gains nothing is omitted.
    if (before && !(fastest.mean * told_apart(map) < shortest)) continue;
    const std::vector<Best> bests = named_first(map, by_time);
    std::string text = fastest_text(map, bests, fastest);
    if (before) {
      const double speed = before->point.mean / bests.front().point.mean;
      text += fmt::format(", {} times as fast as {}", said_speed(speed), before->curve->variant);
    }
    lines.push_back(fmt::format("{}: {}", name_of(tier), text));
    before = bests.front();
    shortest = fastest.mean;
  }
  return lines;
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
