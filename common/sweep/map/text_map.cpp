#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "common/sweep/map/borders.hpp"
#include "common/text/markdown.hpp"

namespace trilane {
namespace {

constexpr std::size_t margin = 8;  // for the values of rows, such as "1.25us"

char symbol(const RegimeMap& map, const Cell& cell) {
  switch (cell.status) {
    case Status::ok: break;
    case Status::failed: return '!';
    case Status::not_supported: return '-';
    case Status::not_run: return '.';
  }
  const auto found = std::ranges::find(map.variants, cell.winner);
  const char letter = map.letters.at(static_cast<std::size_t>(found - map.variants.begin())).at(0);
  return cell.tied.empty() || letter == '*' ? letter : static_cast<char>(letter - 'A' + 'a');
}

/// The values of the columns, each below its cells if there is room.
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
  std::string text = in_words(map.rows.knob) + "\n";
  for (std::size_t row = map.rows.values.size(); row-- > 0;) {
    text += fmt::format("{:>{}} ", short_text(map.rows.knob, map.rows.values[row]), margin - 2);
    for (std::size_t column = 0; column < columns; ++column) {
      text += fmt::format("{:>{}}", symbol(map, map.cells[map.position(column, row)]),
                          column == 0 ? width + 1 : width);
    }
    text += '\n';
  }
  return fmt::format("{}{}\n{:>{}}\n", text, column_line(map, width), in_words(map.columns.knob),
                     std::max(margin + columns * width, in_words(map.columns.knob).size()));
}

std::string legend(const RegimeMap& map) {
  std::vector<std::string> entries;
  for (std::size_t i = 0; i < map.variants.size(); ++i) {
    entries.push_back(map.letters[i] + " " + map.variants[i]);
  }
  std::string text =
      fmt::format("{}. A small letter: the fastest ties with others.", fmt::join(entries, ", "));
  const auto any = [&](Status status) {
    return std::ranges::find(map.cells, status, &Cell::status) != map.cells.end();
  };
  if (any(Status::not_supported)) text += " -: cannot be run here.";
  if (any(Status::failed)) text += " !: failed.";
  if (any(Status::not_run)) text += " .: not run yet.";
  return paragraph(text);
}

std::string heading(const RegimeMap& map) {
  const std::string& simulated = map.context.simulated;
  const std::string where = simulated.empty() ? "" : fmt::format(", simulated {}", simulated);
  return markdown_heading(
      fmt::format("Which variant wins where{}", where),
      fmt::format("{}, {} against {}, {} mode", map.workload, in_words(map.columns.knob),
                  in_words(map.rows.knob), name_of(map.mode)));
}

}  // namespace

std::string map_text(const RegimeMap& map) {
  std::string text = heading(map) + "\n```\n" + grid(map) + "```\n" + legend(map) + "\n";
  for (const Band& band : map.borders) text += bullet(band.words + ".");
  if (!map.borders.empty()) text += "\n";
  for (const std::string& remark : remarks(map)) text += bullet(remark);
  return text;
}

}  // namespace trilane
