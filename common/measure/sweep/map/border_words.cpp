#include "common/base/text/words.hpp"
#include "common/measure/sweep/map/regimes.hpp"

namespace trilane {
namespace {

std::string times(double gain) { return fmt::format("{:.{}f}", gain, gain < 10 ? 2 : 1); }

bool is_plural(const std::string& knob) { return knob.ends_with('s'); }

std::string gain_text(const RegimeMap& map, const Regime& regime) {
  if (!regime.least_gain || regime.variant == map.reference) return "";
  const std::string least = times(*regime.least_gain), most = times(*regime.most_gain);
  const std::string range = least == most ? least : fmt::format("{} to {}", least, most);
  return fmt::format("{} times as fast as {}", range, map.reference);
}

std::string regime_text(const RegimeMap& map, const Regime& regime) {
  std::vector<std::string> details;
  if (regime.tier != Tier::same_operations) details.push_back(name_of(regime.tier));
  const std::string gain = gain_text(map, regime);
  if (!gain.empty()) details.push_back(gain);
  if (!regime.tied.empty()) {
    details.push_back(
        fmt::format("{} {}", listed(regime.tied), regime.tied.size() == 1 ? "ties" : "tie"));
  }
  if (!regime.kept.empty()) {
    details.push_back(fmt::format("of the same operations {}{}",
                                  regime.kept_everywhere ? "" : "mostly ", regime.kept));
  }
  std::string text = regime.variant;
  if (!details.empty()) text += fmt::format(" ({})", fmt::join(details, "; "));
  std::vector<std::string> exceptions;
  for (const std::size_t position : regime.exceptions) {
    const Cell& cell = map.cells[position];
    exceptions.push_back(fmt::format("{} at {}", cell.winner, place_text(map, cell)));
  }
  if (!exceptions.empty()) text += fmt::format(", but {}", listed(exceptions));
  return text;
}

/// Returns "graph_pool was left out of 3 cells, such as chunks 4, depth 2: not supported: ...".
std::vector<std::string> left_out(const RegimeMap& map) {
  std::vector<std::string> lines;
  for (const std::string& variant : map.variants) {
    std::size_t count = 0;
    std::string first;
    for (const Cell& cell : map.cells) {
      const auto found = std::ranges::find(cell.left_out, variant, &Property::first);
      if (found == cell.left_out.end()) continue;
      if (count++ == 0) first = fmt::format("{}: {}", place_text(map, cell), found->second);
    }
    if (count == 0) continue;
    lines.push_back(fmt::format("{} was left out of {}, such as {}", variant,
                                counted(count, noun_of(map)), first));
  }
  return lines;
}

std::string about_intervals(const RegimeMap& map) {
  if (!map.context.simulated.empty()) return "";
  std::vector<std::uint32_t> visits;
  for (const Cell& cell : map.cells) {
    if (cell.status == Status::ok) visits.push_back(cell.visits);
  }
  if (visits.empty()) return "";
  const auto [fewest, most] = std::ranges::minmax(visits);
  if (most == 1) return "Intervals cover this process; others may differ by more";
  const std::string range = fewest < most ? fmt::format("{} to ", fewest) : "";
  return fmt::format("Intervals are for another sweep of {}{} processes", range, most);
}

/// Returns "chunk size 8 KiB to 64 KiB" or "any number of chunks". Omits a knob `named` before.
std::string range_text(const Axis& axis, const Span& span, bool named) {
  const auto value = [&](std::size_t at) { return value_text(axis.knob, axis.values.at(at)); };
  const std::size_t end = axis.values.size() - 1;
  const std::string name = named ? "" : in_words(axis.knob) + " ";
  if (end == 0) return name + value(0);
  if (span.first == 0 && span.last == end) {
    return fmt::format("any {}{}", is_plural(axis.knob) ? "number of " : "", in_words(axis.knob));
  }
  if (span.first == 0) return fmt::format("{}up to {}", name, value(span.last));
  if (span.last == end) return fmt::format("{}from {} on", name, value(span.first));
  if (span.first == span.last) return name + value(span.first);
  return fmt::format("{}{} to {}", name, value(span.first), value(span.last));
}

}  // namespace

std::string words_of(const RegimeMap& map, const Band& band) {
  const Axis across = axis_across(map, map.bands_of), along = axis_along(map, map.bands_of);
  const bool whole = band.span.first == 0 && band.span.last + 1 == across.values.size();
  std::vector<std::string> parts;
  for (const Regime& regime : band.regimes) {
    const bool all = whole && regime.span.first == 0 && regime.span.last + 1 == along.values.size();
    parts.push_back(fmt::format("{}, {}",
                                all ? "everywhere" : range_text(along, regime.span, !parts.empty()),
                                regime_text(map, regime)));
  }
  const std::string text = fmt::format("{}", fmt::join(parts, "; "));
  return whole ? text : fmt::format("{}: {}", range_text(across, band.span, false), text);
}

const char* ended(Status status) {
  switch (status) {
    case Status::failed: return "failed";
    case Status::out_of_memory: return "ran out of memory";
    case Status::not_supported:
    case Status::not_run:
    case Status::ok: break;
  }
  return "cannot be run here";
}

std::vector<std::string> remarks(const RegimeMap& map) {
  std::size_t clear = 0, tied = 0, open = 0, waiting = 0;
  std::map<Status, std::vector<const Cell*>> missing;
  for (const Cell& cell : map.cells) {
    if (cell.status == Status::not_run) {
      ++waiting;
    } else if (cell.status != Status::ok) {
      missing[cell.status].push_back(&cell);
    } else {
      ++(cell.tied.empty() ? clear : tied);
      if (is_open(cell)) ++open;
    }
  }
  std::vector<std::string> lines;
  lines.push_back(fmt::format("{}: {} {} a clear winner, and in {} the fastest ties with others.",
                              counted(map.cells.size(), noun_of(map)), clear,
                              clear == 1 ? "has" : "have", tied));
  const std::string intervals = about_intervals(map);
  if (!intervals.empty()) lines.push_back(intervals);
  if (open > 0) {
    lines.push_back(
        fmt::format("{} of these ran out of time before every other variant was clearly slower or "
                    "a tie. More --time or --processes may change {}.",
                    open, open == 1 ? "it" : "them"));
  }
  if (waiting > 0) {
    lines.push_back(fmt::format("{} {} not been run yet.", counted(waiting, noun_of(map)),
                                waiting == 1 ? "has" : "have"));
  }
  for (const auto& [status, cells] : missing) {
    lines.push_back(fmt::format("{} {}, such as {}: {}", counted(cells.size(), noun_of(map)),
                                ended(status), place_text(map, *cells.front()),
                                cells.front()->reason));
  }
  for (const std::string& line : left_out(map)) lines.push_back(line);
  for (std::string& line : lines) {
    if (!line.ends_with('.')) line += '.';  // reasons have no full stop
  }
  return lines;
}

}  // namespace trilane
