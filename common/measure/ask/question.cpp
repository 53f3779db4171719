#include "common/measure/ask/question.hpp"

#include "common/base/text/size.hpp"
#include "common/base/text/words.hpp"
#include "common/explain/statistics/statistics.hpp"

namespace trilane {
namespace {

bool is_above(std::span<const double> ours, std::span<const double> theirs, double factor) {
  return quantile(ours, 0.25) > factor * quantile(theirs, 0.75);
}

}  // namespace

std::optional<bool> decided(bool yes, bool no) {
  if (yes) return true;
  if (no) return false;
  return std::nullopt;
}

Conclusion& Conclusion::add(const std::string& name, std::optional<bool> answer,
                            const std::string& figures) {
  cases_[name] = answer;
  figures_.push_back(figures);
  return *this;
}

Conclusion& Conclusion::add(std::optional<bool> answer, const std::string& figures) {
  return add("", answer, figures);
}

Conclusion& Conclusion::note(const std::string& figures) {
  figures_.push_back(figures);
  return *this;
}

Finding Conclusion::finding() const {
  const auto all = [&](std::optional<bool> answer) {
    return std::ranges::all_of(cases_, [&](const auto& one) { return one.second == answer; });
  };
  if (cases_.empty() || std::ranges::any_of(cases_, [](const auto& one) { return !one.second; })) {
    return Finding::undecided;
  }
  return all(true) ? Finding::yes : all(false) ? Finding::no : Finding::depends;
}

std::string Conclusion::sentence() const {
  const std::string figures = fmt::format("{}.", fmt::join(figures_, "; "));
  if (finding() != Finding::depends) return figures;
  std::vector<std::string> yes, no;
  for (const auto& [name, answer] : cases_) (*answer ? yes : no).push_back(name);
  return fmt::format("yes for {}, no for {}: {}", listed(yes), listed(no), figures);
}

Readings::Readings(const Reply& reply) : figures_(reply.figures) {
  if (!reply.processes) return;
  for (const ProcessReply& process : *reply.processes) rounds_.push_back(process.rounds);
}

const Figure& Readings::figure(const std::string& condition) const {
  const auto found = std::ranges::find(figures_, condition, &Figure::name);
  if (found == figures_.end()) throw std::out_of_range("no condition '" + condition + "'");
  return *found;
}

double Readings::median(const std::string& condition) const { return at(condition, 0.5); }

std::string Readings::time(const std::string& condition) const {
  return time_in_words(median(condition));
}

double Readings::at(const std::string& condition, double q) const {
  return quantile(figure(condition).samples, q);
}

bool Readings::above(const std::string& condition, const std::string& other, double factor) const {
  const std::span<const double> ours(figure(condition).samples), theirs(figure(other).samples);
  if (rounds_.empty()) return is_above(ours, theirs, factor);
  std::size_t first = 0, held = 0;
  for (const std::uint64_t rounds : rounds_) {
    held += is_above(ours.subspan(first, rounds), theirs.subspan(first, rounds), factor);
    first += rounds;
  }
  return 4 * held >= 3 * rounds_.size();
}

std::optional<bool> Readings::costs_more(const std::string& condition, const std::string& other,
                                         double factor, double same) const {
  return decided(above(condition, other, factor), median(condition) < same * median(other));
}

void conclude(const Question& question, Reply& reply) {
  const Conclusion conclusion = question.conclude(Readings(reply));
  reply.finding = conclusion.finding();
  reply.sentence = conclusion.sentence();
}

std::vector<Question>& questions() {
  static std::vector<Question> all;
  return all;
}

const Question* find_question(const std::string& name) {
  const auto found = std::ranges::find(questions(), name, &Question::name);
  return found == questions().end() ? nullptr : &*found;
}

}  // namespace trilane
