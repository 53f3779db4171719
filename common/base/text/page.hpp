// A page in parts, laid out as plain text for a terminal or as Markdown.
#pragma once

#include <variant>

#include "common/base/text/layout.hpp"

namespace trilane {

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
