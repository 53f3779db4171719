#include "common/ask/reply_overview.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/text/words.hpp"

namespace trilane {
namespace {

const Question* question_of(const Reply& reply) {
  const auto found = std::ranges::find(questions(), reply.question, &Question::name);
  return found == questions().end() ? nullptr : &*found;
}

/// Adds a heading and the replies to questions that fit, if there are any.
template <typename Fits>
void add_section(Page& page, const char* heading, const Replies& replies, Fits fits) {
  Page section;
  for (const Reply& reply : replies.answers) {
    const Question* const question = question_of(reply);
    if (!fits(question)) continue;
    const std::string asked = question ? question->text + ' ' : "";
    section.emplace_back(
        LabelledText{reply.question, asked + capitalised(name_of(reply.finding)) + '.'});
  }
  if (section.empty()) return;
  page.emplace_back(Heading{heading, ""});
  append(page, std::move(section));
}

}  // namespace

Page overview_page(const Replies& replies) {
  Page page;
  if (!replies.context.simulated.empty()) {
    page.emplace_back(
        Paragraph{fmt::format("Simulated {}: no time is measured.", replies.context.simulated)});
  }
  for (int i = 0; *name_of(static_cast<Subject>(i)) != '\0'; ++i) {
    const auto subject = static_cast<Subject>(i);
    add_section(page, name_of(subject), replies,
                [&](const Question* q) { return q && q->subject == subject; });
  }
  add_section(page, "Others", replies, [](const Question* q) { return !q; });
  return page;
}

}  // namespace trilane
