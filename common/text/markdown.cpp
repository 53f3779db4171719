#include "common/text/markdown.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace trilane {
namespace {

/// The number of characters. Bytes that continue a UTF-8 sequence do not count.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t width, bool to_right) {
  const std::string space(width - std::min(width, width_of(text)), ' ');
  return to_right ? space + text : text + space;
}

/// The byte position after the first `width` characters of `text`.
std::size_t cut_at(const std::string& text, std::size_t width) {
  std::size_t at = 0;
  for (std::size_t characters = 0; at < text.size(); ++at) {
    const bool starts = (static_cast<unsigned char>(text[at]) & 0xc0) != 0x80;
    if (starts && characters++ == width) break;
  }
  return at;
}

std::vector<std::string> words_of(const std::string& text, std::size_t width) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    const bool space = static_cast<unsigned char>(c) <= ' ' || c == '\x7f';
    if (!space) words.back() += c;
    if (space && !words.back().empty()) words.emplace_back();
  }
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (width_of(words[i]) <= width) continue;
    const std::size_t at = cut_at(words[i], width);
    words.insert(words.begin() + static_cast<std::ptrdiff_t>(i) + 1, words[i].substr(at));
    words[i].resize(at);
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

std::string wrapped(const std::string& text, const std::string& first, const std::string& next) {
  std::string result, line = first;
  bool empty = true;
  for (const std::string& word : words_of(text, page_width - first.size())) {
    if (!empty && width_of(line) + 1 + width_of(word) > page_width) {
      result += line + '\n';
      line = next;
      empty = true;
    }
    line += (empty ? "" : " ") + word;
    empty = false;
  }
  return result + line + '\n';
}

}  // namespace

std::string markdown_table(const Table& table) {
  const auto& [heads, rows] = table;
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

Table fitted(Table table, std::initializer_list<std::string_view> expendable) {
  for (const std::string_view head : expendable) {
    const std::string text = markdown_table(table);
    if (width_of(text.substr(0, text.find('\n'))) <= page_width) break;
    const auto column = std::ranges::find(table.heads, head);
    if (column == table.heads.end()) continue;
    const auto at = column - table.heads.begin();
    table.heads.erase(column);
    for (auto& row : table.rows) row.erase(row.begin() + at);
  }
  return table;
}

std::string markdown_heading(const std::string& title, const std::string& details) {
  const std::string line = fmt::format("### {}: {}", title, details);
  if (width_of(line) <= page_width) return line + '\n';
  return fmt::format("### {}\n\n{}", title, paragraph(details));
}

std::string paragraph(const std::string& text) { return wrapped(text, "", ""); }

std::string bullet(const std::string& text) { return wrapped(text, "- ", "  "); }

}  // namespace trilane
