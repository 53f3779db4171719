// Text that reads well on a terminal of 80 columns and is Markdown as well.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace trilane {

inline constexpr std::size_t page_width = 80;

enum class Align { left, right };

struct Column {
  std::string head;
  Align align;
};

/// Every row has as many cells as there are columns.
struct Table {
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;
};

/// With cells padded to their column, so that its source can be read too.
std::string markdown_table(const Table& table);

/// Fits the page: without as many of the columns with these heads, the first of them first, as have
/// to go for that.
Table fitted(Table table, std::initializer_list<std::string_view> expendable);

/// "### title: details", or, where that is wider than the page, the details as a paragraph below.
std::string markdown_heading(const std::string& title, const std::string& details);

/// `text` broken between words at the width of the page, with a line feed at its end. Control
/// characters count as spaces; a word wider than the page is cut.
std::string paragraph(const std::string& text);

/// A paragraph as the entry of a list.
std::string bullet(const std::string& text);

}  // namespace trilane
