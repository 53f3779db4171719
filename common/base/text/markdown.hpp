// Markdown that also reads well on a terminal of 80 columns.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trilane {

inline constexpr std::size_t page_width = 80;

/// Every row has one cell per head. A head that starts with ">" aligns its column to the right.
struct Table {
  std::vector<std::string> heads;
  std::vector<std::vector<std::string>> rows;
  /// Heads of columns that a terminal may omit, in the order of omission.
  std::vector<std::string> expendable{};
};

/// Returns the table without the column under that head, if there is one.
Table without_column(Table table, std::string_view head);

/// Returns the table as Markdown, its cells padded so that the columns line up.
std::string markdown_table(const Table& table);

/// Returns "### title: details". If that is wider than the page, the details become a paragraph
/// below.
std::string markdown_heading(const std::string& title, const std::string& details);

/// Returns `text` wrapped at the width of the page, ending with a line feed. Control characters
/// count as spaces; a word wider than the page is cut.
std::string paragraph(const std::string& text);

/// Returns a paragraph as a list entry.
std::string bullet(const std::string& text);

}  // namespace trilane
