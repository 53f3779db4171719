#include "common/base/text/markdown.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "common/base/text/layout.hpp"

namespace trilane {

std::string markdown_table(const Table& table) {
  const auto& [heads, rows, expendable] = table;
  std::string head = "|", rule = "|";
  std::vector<std::string> lines(rows.size(), "|");
  for (std::size_t c = 0; c < heads.size(); ++c) {
    const bool to_right = heads[c].starts_with('>');
    const std::string title = heads[c].substr(to_right);
    std::size_t width = std::max<std::size_t>(3, width_of(title));
    for (const auto& row : rows) width = std::max(width, width_of(row.at(c)));
    const std::string dashes(width - 1, '-');
    head += ' ' + padded(title, width, to_right) + " |";
    rule += to_right ? ' ' + dashes + ": |" : " :" + dashes + " |";
    for (std::size_t r = 0; r < rows.size(); ++r) {
      lines[r] += ' ' + padded(rows[r][c], width, to_right) + " |";
    }
  }
  return fmt::format("{}\n{}\n{}\n", head, rule, fmt::join(lines, "\n"));
}

Table without_column(Table table, std::string_view head) {
  const auto column = std::ranges::find(table.heads, head);
  if (column == table.heads.end()) return table;
  const auto at = column - table.heads.begin();
  table.heads.erase(column);
  for (auto& row : table.rows) row.erase(row.begin() + at);
  return table;
}

std::string markdown_heading(const std::string& title, const std::string& details) {
  const std::string line = fmt::format("### {}: {}", title, details);
  if (width_of(line) <= page_width) return line + '\n';
  return fmt::format("### {}\n\n{}", title, paragraph(details));
}

std::string paragraph(const std::string& text) { return wrapped(text, page_width, "", ""); }

std::string bullet(const std::string& text) { return wrapped(text, page_width, "- ", "  "); }

}  // namespace trilane
