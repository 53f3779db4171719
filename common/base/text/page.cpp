#include "common/base/text/page.hpp"

#include <fmt/format.h>

namespace trilane {
namespace {

std::string heading(const Heading& head) {
  return head.details.empty() ? head.title : fmt::format("{}: {}", head.title, head.details);
}

std::string screen_line(const std::string& text) { return wrapped(text, screen_width, "", ""); }

std::string bullet(const std::string& text) { return wrapped(text, page_width, "- ", "  "); }

/// Returns the table as Markdown, its cells padded so that the columns line up.
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

struct AsText {
  std::size_t label_width;  // of all labels of the page, with the space after them

  std::string operator()(const Heading& part) const { return screen_line(heading(part)); }
  std::string operator()(const Paragraph& part) const { return screen_line(part.text); }
  std::string operator()(const Bullet& part) const {
    return wrapped(part.text, screen_width, "- ", "  ");
  }
  std::string operator()(const LabelledText& part) const {
    return wrapped(part.text, screen_width, padded(part.label, label_width, false),
                   std::string(label_width, ' '));
  }
  std::string operator()(const Table& part) const { return plain_table(part); }
  std::string operator()(const Verbatim& part) const { return part.lines; }
};

struct AsMarkdown {
  std::string operator()(const Heading& part) const {
    const std::string line = "### " + heading(part);
    if (part.details.empty() || width_of(line) <= page_width) return line + '\n';
    return fmt::format("### {}\n\n{}", part.title, paragraph(part.details));
  }
  std::string operator()(const Paragraph& part) const { return paragraph(part.text); }
  std::string operator()(const Bullet& part) const { return bullet(part.text); }
  std::string operator()(const LabelledText& part) const {
    return bullet(part.label.empty() ? part.text : fmt::format("**{}** {}", part.label, part.text));
  }
  std::string operator()(const Table& part) const { return markdown_table(part); }
  std::string operator()(const Verbatim& part) const { return "```\n" + part.lines + "```\n"; }
};

/// Returns true for parts that follow each other without an empty line.
bool is_list(const Part& part) {
  return std::holds_alternative<Bullet>(part) || std::holds_alternative<LabelledText>(part);
}

std::string laid_out(const Page& page, const auto& layout) {
  std::string text;
  const Part* before = nullptr;
  for (const Part& part : page) {
    const bool goes_on = before && is_list(part) && before->index() == part.index();
    if (before && !goes_on) text += '\n';
    text += std::visit(layout, part);
    before = &part;
  }
  return text;
}

}  // namespace

std::string as_text(const Page& page) {
  std::size_t width = 0;
  for (const Part& part : page) {
    const auto* labelled = std::get_if<LabelledText>(&part);
    if (labelled) width = std::max(width, width_of(labelled->label) + 2);
  }
  return laid_out(page, AsText{width});
}

std::string as_markdown(const Page& page) { return laid_out(page, AsMarkdown{}); }

void append(Page& page, Page more) { std::ranges::move(more, std::back_inserter(page)); }

}  // namespace trilane
