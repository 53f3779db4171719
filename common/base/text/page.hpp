// A page in parts, laid out as plain text for a terminal or as Markdown.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "common/base/text/markdown.hpp"

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
/// A short label and what belongs to it: "Graph?" and the answer.
struct LabelledText {
  std::string label, text;
};

/// Lines to be kept as they are, each ending with a line feed.
struct Verbatim {
  std::string lines;
};

using Part = std::variant<Heading, Paragraph, Bullet, LabelledText, Table, Verbatim>;
using Page = std::vector<Part>;

/// For a terminal of 100 columns. Labels stand in a column of their own. A table that is too wide
/// loses columns of which it says so, see Table.
std::string as_text(const Page& page);

/// Markdown, its paragraphs wrapped at 80 columns. Tables keep all columns.
std::string as_markdown(const Page& page);

/// Adds the parts of `more`.
void append(Page& page, Page more);

}  // namespace trilane
