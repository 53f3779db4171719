#include "common/measure/sweep/map/map_page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "common/measure/sweep/map/borders.hpp"

namespace trilane {
namespace {

constexpr std::size_t margin = 8;  // for row values such as "1.25us"

char symbol(const RegimeMap& map, const Cell& cell) {
  switch (cell.status) {
    case Status::ok: break;
    case Status::failed: return '!';
    case Status::not_supported:
    case Status::out_of_memory: return '-';
    case Status::not_run: return '.';
  }
  const auto found = std::ranges::find(map.variants, cell.winner);
  const char letter = map.letters.at(static_cast<std::size_t>(found - map.variants.begin())).at(0);
  return cell.tied.empty() || letter == '*' ? letter : static_cast<char>(letter - 'A' + 'a');
}

/// Returns the values of the columns, each below its cells if there is room.
std::string column_line(const RegimeMap& map, std::size_t width) {
  std::string line(margin, ' ');
  for (std::size_t column = 0; column < map.columns.values.size(); ++column) {
    const std::string value = short_text(map.columns.knob, map.columns.values[column]);
    const std::size_t end = margin + (column + 1) * width;
    if (end < line.size() + value.size() + (column > 0 ? 1 : 0)) continue;
    line.resize(end - value.size(), ' ');
    line += value;
  }
  return line;
}

std::string grid(const RegimeMap& map) {
  const std::size_t columns = map.columns.values.size();
  const std::size_t width = std::clamp<std::size_t>((page_width - margin) / columns, 1, 6);
  std::string text = in_words(map.rows->knob) + "\n";
  for (std::size_t row = map.rows->values.size(); row-- > 0;) {
    text += fmt::format("{:>{}} ", short_text(map.rows->knob, map.rows->values[row]), margin - 2);
    for (std::size_t column = 0; column < columns; ++column) {
      text += fmt::format("{:>{}}", symbol(map, map.cells[map.position(column, row)]),
                          column == 0 ? width + 1 : width);
    }
    text += '\n';
  }
  return fmt::format("{}{}\n{:>{}}\n", text, column_line(map, width), in_words(map.columns.knob),
                     std::max(margin + columns * width, in_words(map.columns.knob).size()));
}

/// Returns "same operations: S streams, G graph; rewritten: F fused".
std::string key(const RegimeMap& map) {
  std::vector<std::string> tiers;
  for (const Tier tier : all_tiers) {
    std::vector<std::string> entries;
    for (std::size_t i = 0; i < map.variants.size(); ++i) {
      if (map.tiers[i] == tier) entries.push_back(map.letters[i] + " " + map.variants[i]);
    }
    if (entries.empty()) continue;
    tiers.push_back(fmt::format("{}: {}", name_of(tier), fmt::join(entries, ", ")));
  }
  return fmt::format("{}", fmt::join(tiers, "; "));
}

std::string legend(const RegimeMap& map) {
  std::string text = key(map) + ". A small letter: the fastest ties with others.";
  const auto any = [&](Status status) {
    return std::ranges::find(map.cells, status, &Cell::status) != map.cells.end();
  };
  if (any(Status::not_supported) || any(Status::out_of_memory)) text += " -: cannot be run here.";
  if (any(Status::failed)) text += " !: failed.";
  if (any(Status::not_run)) text += " .: not run yet.";
  return text;
}

Heading heading(const RegimeMap& map) {
  const std::string& simulated = map.context.simulated;
  return {"Which variant wins where" + (simulated.empty() ? "" : ", simulated " + simulated),
          fmt::format("{}, {} against {}, {} mode", map.workload, in_words(map.columns.knob),
                      in_words(map.rows->knob), name_of(map.mode))};
}

}  // namespace

Page map_page(const RegimeMap& map) {
  Page page{heading(map), Verbatim{grid(map)}, Paragraph{legend(map)}};
  for (const Band& band : map.borders) page.push_back(Bullet{band.words + "."});
  page.push_back(Paragraph{fmt::format("{}", fmt::join(remarks(map), " "))});
  return page;
}

}  // namespace trilane
