#include "common/measure/ask/reply_overview.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "common/base/text/words.hpp"

namespace trilane {
namespace {

/// Adds a heading and the replies to matching questions, if there are any.
template <typename Fits>
void add_section(Page& page, const char* heading, const Replies& replies, Fits fits) {
  Page section;
  for (const Reply& reply : replies.answers) {
    const Question* const question = find_question(reply.question);
    if (!fits(question)) continue;
    const std::string asked = question ? question->text + ' ' : "";
    std::string answer = asked + capitalised(name_of(reply.finding)) + '.';
    if (const std::string others = disagreement(reply); !others.empty()) answer += ' ' + others;
    section.emplace_back(LabelledText{reply.question, answer});
  }
  if (section.empty()) return;
  page.emplace_back(Heading{heading, ""});
  append(page, std::move(section));
}

}  // namespace

std::string disagreement(const Reply& reply) {
  if (!reply.processes) return "";
  std::vector<std::string> parts;
  for (const Finding finding : enumerators<Finding>) {
    const auto count = std::ranges::count_if(*reply.processes, [&](const ProcessReply& process) {
      return !process.agrees && process.finding == finding;
    });
    if (count == 0) continue;
    parts.push_back(
        fmt::format("in {} of {} processes: {}", count, reply.processes->size(),
                    finding == reply.finding ? "yes and no for other cases" : name_of(finding)));
  }
  return parts.empty() ? "" : capitalised(fmt::format("{}.", fmt::join(parts, "; ")));
}

Page overview_page(const Replies& replies) {
  Page page;
  if (!replies.context.simulated.empty()) {
    page.emplace_back(
        Paragraph{fmt::format("Simulated {}: no time is measured.", replies.context.simulated)});
  }
  for (const Subject subject : enumerators<Subject>) {
    add_section(page, name_of(subject), replies,
                [&](const Question* q) { return q && q->subject == subject; });
  }
  add_section(page, "Others", replies, [](const Question* q) { return !q; });
  return page;
}

}  // namespace trilane
