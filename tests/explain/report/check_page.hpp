// Rules for every page: columns on a terminal, and tables that are valid Markdown.
#pragma once

#include "common/base/text/page.hpp"
#include "tests/base/refusal.hpp"

namespace trilane {

inline std::vector<std::string> lines_in(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// Returns the first line that starts with it; empty without one.
inline std::string line_of(const std::string& text, const std::string& start) {
  for (const std::string& line : lines_in(text)) {
    if (line.starts_with(start)) return line;
  }
  return "";
}

/// Checks for at most 100 columns, without spaces at the ends of lines.
inline void check_text(const Page& page) {
  for (const std::string& line : lines_in(as_text(page))) {
    BOOST_TEST(width_of(line) <= screen_width, line);
    BOOST_TEST(!line.ends_with(' '), line);
  }
}

/// Checks for at most 80 columns outside of tables, one number of cells in all rows of a table, an
/// empty line before and after it.
inline void check_markdown(const Page& page) {
  const auto lines = lines_in(as_markdown(page));
  std::ptrdiff_t cells = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    BOOST_TEST(!lines[i].ends_with(' '), lines[i]);
    if (!lines[i].starts_with('|')) {
      BOOST_TEST(width_of(lines[i]) <= page_width, lines[i]);
      continue;
    }
    const auto found = std::ranges::count(lines[i], '|');
    if (i == 0 || !lines[i - 1].starts_with('|')) {
      cells = found;
      BOOST_TEST((i > 0 && lines[i - 1].empty()));
      BOOST_TEST(lines.at(i + 1).find_first_not_of("|:- ") == std::string::npos);
    }
    BOOST_TEST(found == cells, lines[i]);
    const bool last = i + 1 == lines.size() || !lines[i + 1].starts_with('|');
    BOOST_TEST((!last || i + 1 == lines.size() || lines[i + 1].empty()));
  }
}

inline void check_page(const Page& page) {
  check_text(page);
  check_markdown(page);
}

/// Returns the page as Markdown, after a check.
inline std::string checked_markdown(const Page& page) {
  check_page(page);
  return as_markdown(page);
}

}  // namespace trilane
