#include "common/measure/ask/reply.hpp"

#include <cuda_runtime_api.h>

#include "common/base/json/json_values.hpp"
#include "common/base/text/size.hpp"
#include "common/base/text/words.hpp"
#include "common/explain/statistics/statistics.hpp"
#include "common/measure/ask/question.hpp"

namespace trilane {
namespace {

/// Returns the range of samples; for counts and codes it is narrower than a file allows.
Range range_of(Quantity quantity) {
  switch (quantity) {
    case Quantity::us: return either_way_us;
    case Quantity::count:
    case Quantity::bytes: return {0, either_way_us.most};
    case Quantity::error: return {0, 99'999};
  }
  return {};
}

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

void cross_check(const Figure& figure) {
  within("samples", [&] {
    within_each(figure.samples,
                [&](double sample) { require_in(sample, range_of(figure.quantity)); });
  });
}

void cross_check(const Reply& reply) {
  if (reply.question.empty()) throw Misfit{".question", "is empty"};
  if ((reply.hazards == 0) != reply.first_hazard.empty()) {
    throw Misfit{".first_hazard", fmt::format("is \"{}\", and there are {} hazards",
                                              reply.first_hazard, reply.hazards)};
  }
  std::set<std::string> names;
  for (std::size_t i = 0; i < reply.figures.size(); ++i) {
    const Figure& figure = reply.figures[i];
    const std::string place = ".figures" + step(i);
    if (figure.samples.empty()) throw Misfit{place + ".samples", "has no entry"};
    if (figure.samples.size() != reply.rounds()) {
      throw Misfit{place + ".samples", fmt::format("has {} entries, and the first figure has {}",
                                                   figure.samples.size(), reply.rounds())};
    }
    if (!names.insert(figure.name).second) {
      throw Misfit{place + ".name", fmt::format("is {}, as before", figure.name)};
    }
  }
  if (!reply.processes) return;
  std::uint64_t rounds = 0;
  for (const ProcessReply& process : *reply.processes) rounds += process.rounds;
  if (rounds == reply.rounds()) return;
  throw Misfit{".processes",
               fmt::format("have {} rounds, and a figure has {} samples", rounds, reply.rounds())};
}

void round_to_nanoseconds(Reply& reply) {
  for (Figure& figure : reply.figures) {
    for (double& sample : figure.samples) sample = to_nanoseconds(sample);
  }
}

std::string to_json(const Replies& replies) { return pretty(document_of(replies_schema, replies)); }

Replies replies_from_json(const std::string& text) {
  return record_from<Replies>(text, replies_schema, "answers file");
}

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

std::string in_words(Quantity quantity, double value) {
  switch (quantity) {
    case Quantity::us: return time_in_words(value);
    case Quantity::count: return fmt::format("{:.10g}", value);
    case Quantity::bytes: return format_bytes(static_cast<std::uint64_t>(value));
    case Quantity::error: return cudaGetErrorName(static_cast<cudaError_t>(value));
  }
  return "";
}

std::string answer_of(const Reply& reply) {
  const std::string finding = capitalised(name_of(reply.finding));
  std::string answer =
      reply.sentence.empty() ? finding + "." : fmt::format("{}: {}", finding, reply.sentence);
  if (const std::string others = disagreement(reply); !others.empty()) answer += ' ' + others;
  return answer;
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
