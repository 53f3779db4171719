#include "common/base/text/page.hpp"

#include "common/base/text/words.hpp"

namespace trilane {
namespace {

std::string heading(const Heading& head) {
  return head.details.empty() ? head.title : fmt::format("{}: {}", head.title, head.details);
}

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

std::string wrapped(const std::string& text, std::size_t width, const std::string& first,
                    const std::string& next) {
  std::string result, line = first;
  bool empty = true;
  for (const std::string& word : words_of(text, width - first.size())) {
    if (!empty && width_of(line) + 1 + width_of(word) > width) {
      result += line + '\n';
      line = next;
      empty = true;
    }
    line += (empty ? "" : " ") + word;
    empty = false;
  }
  return result + line + '\n';
}

std::string screen_line(const std::string& text) { return wrapped(text, screen_width, "", ""); }

std::string bullet(const std::string& text) { return wrapped(text, page_width, "- ", "  "); }

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

std::string all_columns(const Table& table) {
  std::string text;
  std::vector<std::string> lines(table.rows.size() + 1);
  for (std::size_t c = 0; c < table.heads.size(); ++c) {
    const bool to_right = table.heads[c].starts_with('>');
    const std::string head = table.heads[c].substr(to_right);
    std::size_t width = width_of(head);
    for (const auto& row : table.rows) width = std::max(width, width_of(row.at(c)));
    for (std::size_t r = 0; r < lines.size(); ++r) {
      const std::string cell = padded(r == 0 ? head : table.rows[r - 1][c], width, to_right);
      lines[r] += (c == 0 ? "" : "  ") + cell;
    }
  }
  for (std::string& line : lines) {
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
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

std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::size_t widest_line(const std::string& text) {
  return std::ranges::max(transformed(split(text, '\n'), width_of));
}

std::string padded(const std::string& text, std::size_t width, bool to_right) {
  const std::string space(width - std::min(width, width_of(text)), ' ');
  return to_right ? space + text : text + space;
}

std::string plain_table(Table table) {
  std::string text = all_columns(table);
  const std::vector<std::string> expendable = table.expendable;
  for (const std::string& head : expendable) {
    if (widest_line(text) <= screen_width) break;
    table = without_column(std::move(table), head);
    text = all_columns(table);
  }
  return text;
}

std::string clipped(const std::string& text, std::size_t width) {
  if (width_of(text) <= width) return text;
  constexpr std::string_view ending = " ...";
  const std::string kept = text.substr(0, cut_at(text, width - ending.size()));
  return kept.substr(0, std::min(kept.find_last_of(' '), kept.size())).append(ending);
}

Table without_column(Table table, std::string_view head) {
  const auto column = std::ranges::find(table.heads, head);
  if (column == table.heads.end()) return table;
  const auto at = column - table.heads.begin();
  table.heads.erase(column);
  for (auto& row : table.rows) row.erase(row.begin() + at);
  return table;
}

std::string paragraph(const std::string& text) { return wrapped(text, page_width, "", ""); }

}  // namespace trilane
