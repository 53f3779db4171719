#include "common/measure/ask/reply_page.hpp"

#include <cuda_runtime_api.h>

#include "common/base/text/size.hpp"
#include "common/base/text/words.hpp"
#include "common/explain/statistics/statistics.hpp"

namespace trilane {
namespace {

Page beginning_of(const Replies& replies) {
  if (replies.context.simulated.empty()) return {};
  return {Paragraph{fmt::format("Simulated {}: no time is measured.", replies.context.simulated)}};
}

/// Adds a heading and any replies to questions of that subject, or to unknown questions.
void add_section(Page& page, const std::string& heading, const Replies& replies,
                 std::optional<Subject> subject) {
  Page section;
  for (const Reply& reply : replies.answers) {
    const Question* const question = find_question(reply.question);
    if ((question ? std::optional(question->subject) : std::nullopt) != subject) continue;
    const std::string asked = question ? question->text + ' ' : "";
    std::string answer = asked + capitalised(name_of(reply.finding)) + '.';
    if (const std::string others = disagreement(reply); !others.empty()) answer += ' ' + others;
    section.emplace_back(LabelledText{reply.question, answer});
  }
  if (section.empty()) return;
  page.emplace_back(Heading{heading, ""});
  append(page, std::move(section));
}

std::string in_words(Quantity quantity, double value) {
  switch (quantity) {
    case Quantity::us: return time_in_words(value);
    case Quantity::count: return fmt::format("{:.10g}", value);
    case Quantity::bytes: return format_bytes(static_cast<std::uint64_t>(value));
    case Quantity::error: return cudaGetErrorName(static_cast<cudaError_t>(value));
  }
  return "";
}

Table table_of(const std::vector<Figure>& figures) {
  Table table{{"figure", ">median", ">quartiles", ">p99", ">rounds"}, {}, {"p99", "rounds"}};
  for (const Figure& f : figures) {
    const auto at = [&](double q) { return in_words(f.quantity, quantile(f.samples, q)); };
    const std::string low = at(0.25), high = at(0.75);
    table.rows.push_back({f.name, at(0.5), low == high ? low : low + " to " + high, at(0.99),
                          fmt::format("{}", f.samples.size())});
  }
  return table;
}

std::string answer_of(const Reply& reply) {
  const std::string finding = capitalised(name_of(reply.finding));
  std::string answer =
      reply.sentence.empty() ? finding + "." : fmt::format("{}: {}", finding, reply.sentence);
  if (const std::string others = disagreement(reply); !others.empty()) answer += ' ' + others;
  return answer;
}

std::string processes_of(const Replies& replies) {
  std::size_t most = 1;
  for (const Reply& reply : replies.answers) {
    if (reply.processes) most = std::max(most, reply.processes->size());
  }
  return most > 1 ? fmt::format("Answers and figures are from all rounds of {} processes.", most)
                  : "Answers and figures cover this process; others may differ. Add --processes 5.";
}

/// Returns the result of the simulated device's hazard check in words; empty for none.
std::string rules_of(const Reply& reply, bool about_order) {
  if (reply.hazards > 0) {
    return fmt::format("The simulated device's check finds: {}{}", reply.first_hazard,
                       reply.hazards == 1 ? "" : fmt::format(" (the first of {})", reply.hazards));
  }
  const bool tried = reply.finding != Finding::not_modelled && reply.finding != Finding::failed;
  return about_order && tried ? "The simulated device's check finds nothing wrong." : "";
}

Page page_of(const Reply& reply, bool simulated) {
  const Question* const question = find_question(reply.question);
  const bool known = question != nullptr;
  Page page{Heading{known ? question->text : reply.question, known ? reply.question : ""}};
  if (known && !question->claim.empty()) {
    page.emplace_back(LabelledText{"Claimed", question->claim});
  }
  page.emplace_back(LabelledText{"Answer", answer_of(reply)});
  const bool about_order = known && question->subject == Subject::order;
  if (const std::string rules = rules_of(reply, about_order); simulated && !rules.empty()) {
    page.emplace_back(LabelledText{"Rules", rules});
  }
  if (known && reply.finding != Finding::failed) {
    page.emplace_back(LabelledText{"Means", question->meaning});
    page.emplace_back(LabelledText{"Documented", question->documentation});
  }
  if (!reply.figures.empty()) page.emplace_back(table_of(reply.figures));
  return page;
}

}  // namespace

std::string disagreement(const Reply& reply) {
  std::vector<std::string> parts;
  if (!reply.processes) return "";
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
  Page page = beginning_of(replies);
  for (const Subject subject : enumerators<Subject>) {
    add_section(page, capitalised(name_of(subject)), replies, subject);
  }
  add_section(page, "Others", replies, std::nullopt);
  return page;
}

Page questions_page() {
  Page page;
  for (const Subject subject : enumerators<Subject>) {
    Table table{{capitalised(name_of(subject)), "question"}, {}, {}};
    for (const Question& question : questions()) {
      if (question.subject == subject) table.rows.push_back({question.name, question.text});
    }
    if (!table.rows.empty()) page.emplace_back(table);
  }
  return page;
}

Page replies_page(const Replies& replies) {
  Page page = beginning_of(replies);
  const bool simulated = !replies.context.simulated.empty();
  for (const Reply& reply : replies.answers) append(page, page_of(reply, simulated));
  if (!simulated) page.emplace_back(Paragraph{processes_of(replies)});
  return page;
}

}  // namespace trilane
