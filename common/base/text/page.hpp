// A page in parts, laid out as plain text for a terminal or as Markdown of 80 columns.
#pragma once

#include "common/std.hpp"

namespace trilane {

/// The width of output on a terminal.
inline constexpr std::size_t screen_width = 100;

/// The width of Markdown.
inline constexpr std::size_t page_width = 80;

/// Every row has one cell per head. A head that starts with ">" aligns its column to the right.
struct Table {
  std::vector<std::string> heads;
  std::vector<std::vector<std::string>> rows;
  /// Heads of columns that a terminal may omit, in the order of omission.
  std::vector<std::string> expendable{};
};

/// Returns the number of characters. Bytes that continue a UTF-8 sequence do not count.
std::size_t width_of(const std::string& text);

/// Returns the number of characters of the longest line.
std::size_t widest_line(const std::string& text);

/// Returns `text` padded with spaces to `width`.
std::string padded(const std::string& text, std::size_t width, bool to_right);

/// Returns the table with two spaces between columns and without rules. While it is wider than the
/// screen, it loses its expendable columns.
std::string plain_table(Table table);

/// Returns at most `width` characters of `text`, cut between words with "..." at the end.
std::string clipped(const std::string& text, std::size_t width);

/// Returns the table without the column under that head, if there is one.
Table without_column(Table table, std::string_view head);

/// Returns `text` wrapped at the width of the page, ending with a line feed. Control characters
/// count as spaces; a word wider than the page is cut.
std::string paragraph(const std::string& text);

struct Heading {
  std::string title, details;  ///< details may be empty
};
struct Paragraph {
  std::string text;
};
struct Bullet {
  std::string text;
};
/// A short label and its text: "Graph?" and the answer.
struct LabelledText {
  std::string label, text;
};

/// Lines to keep unchanged, each ending with a line feed.
struct Verbatim {
  std::string lines;
};

using Part = std::variant<Heading, Paragraph, Bullet, LabelledText, Table, Verbatim>;
using Page = std::vector<Part>;

/// Returns the page for a terminal of 100 columns. Labels have a separate column. A table that is
/// too wide loses columns and lists them, see Table.
std::string as_text(const Page& page);

/// Returns the page as Markdown, with paragraphs wrapped at 80 columns. Tables keep all columns.
std::string as_markdown(const Page& page);

/// Adds the parts of `more`.
void append(Page& page, Page more);

}  // namespace trilane
