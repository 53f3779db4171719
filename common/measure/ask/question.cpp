#include "common/measure/ask/question.hpp"

#include "common/base/console/interrupt.hpp"
#include "common/base/text/size.hpp"
#include "common/base/text/words.hpp"
#include "common/device/flavour/flavour.hpp"
#include "common/explain/statistics/statistics.hpp"

namespace trilane {
namespace {

bool is_above(std::span<const double> ours, std::span<const double> theirs, double factor) {
  return quantile(ours, 0.25) > factor * quantile(theirs, 0.75);
}

void append(Reply& all, const Reply& more) {
  if (all.figures.empty()) {
    all.figures = more.figures;
    return;
  }
  for (Figure& figure : all.figures) {
    const auto found = std::ranges::find(more.figures, figure.name, &Figure::name);
    if (found == more.figures.end()) continue;  // it failed
    figure.samples.insert(figure.samples.end(), found->samples.begin(), found->samples.end());
  }
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
  if (!figures.empty()) figures_.push_back(figures);
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
  if (reply.processes) rounds_ = transformed(*reply.processes, &ProcessReply::rounds);
}

const Figure& Readings::figure(const std::string& condition) const {
  const auto found = std::ranges::find(figures_, condition, &Figure::name);
  if (found == figures_.end()) throw std::out_of_range("no condition '" + condition + "'");
  return *found;
}

std::string Readings::time(const std::string& condition, double q) const {
  return time_in_words(at(condition, q));
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

std::optional<bool> Readings::always(const std::string& condition) const {
  return decided(at(condition, 0) > 0, at(condition, 1) == 0);
}

std::optional<bool> Readings::costs_more(const std::string& condition, const std::string& other,
                                         double factor, double same) const {
  const double ours = median(condition), theirs = median(other);
  return decided(above(condition, other) && ours > factor * theirs, ours < same * theirs);
}

void conclude(const Question& question, Reply& reply) {
  const Conclusion conclusion = question.conclude(Readings(reply));
  reply.finding = conclusion.finding();
  reply.sentence = conclusion.sentence();
}

bool agree(const Question& question, const Reply& one, const Reply& other) {
  if (one.finding != other.finding) return false;
  if (one.finding != Finding::depends) return true;
  return question.conclude(Readings(one)).cases() == question.conclude(Readings(other)).cases();
}

std::vector<Question>& questions() {
  static std::vector<Question> all;
  return all;
}

const Question* find_question(const std::string& name) {
  const auto found = std::ranges::find(questions(), name, &Question::name);
  return found == questions().end() ? nullptr : &*found;
}

std::vector<Figure> measure(const Question& question, const AskSettings& settings) {
  const std::unique_ptr<Experiment> experiment = question.make();
  std::vector<Condition> conditions = experiment->conditions();
  if (settings.turned_round) {
    Condition& condition = conditions.at(settings.turned_round->first);
    condition.sample = condition.turned_round.at(settings.turned_round->second);
  }
  std::vector<Figure> figures;
  for (const Condition& c : conditions) figures.push_back({c.name, c.quantity, {}});
  RoundSettings rounds = settings.rounds;
  if (settings.simulated) rounds.most = rounds.fewest;
  rounds.most = std::min(rounds.most, experiment->most_rounds());
  in_rounds(conditions.size(), rounds, [&](std::size_t i, bool counts) {
    if (settings.interrupted()) throw Interrupted();
    const double sample = conditions[i].sample();
    if (counts) figures[i].samples.push_back(sample);
  });
  return figures;
}

Reply ask(const Question& question, const AskSettings& settings) {
  Reply reply;
  reply.question = question.name;
  if (settings.simulated && !question.not_modelled.empty()) {
    reply.finding = Finding::not_modelled;
    reply.sentence = question.not_modelled;
    return reply;
  }
  const auto start = std::chrono::steady_clock::now();
  try {
    reply.figures = measure(question, settings);
    conclude(question, reply);
  } catch (const Interrupted&) {
    throw;
  } catch (const std::exception& error) {
    reply.finding = Finding::failed;
    reply.sentence = error.what();
  }
  const std::vector<std::string> hazards = take_hazards();
  reply.hazards = hazards.size();
  if (!hazards.empty()) reply.first_hazard = hazards.front();
  reply.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return reply;
}

Reply merged_reply(const Question& question, const std::vector<const Reply*>& of_processes) {
  Reply all = *of_processes.front();
  if (of_processes.size() == 1) return all;
  const auto failed = std::ranges::find(of_processes, Finding::failed, &Reply::finding);
  if (failed != of_processes.end()) all = **failed;
  all.figures.clear();
  all.seconds = 0;
  std::vector<ProcessReply>& processes = all.processes.emplace();
  for (const Reply* reply : of_processes) {
    append(all, *reply);
    all.seconds += reply->seconds;
    processes.push_back({.finding = reply->finding, .rounds = reply->rounds()});
  }
  if (all.finding != Finding::failed && all.finding != Finding::not_modelled) {
    conclude(question, all);
  }
  for (std::size_t i = 0; i < processes.size(); ++i) {
    processes[i].agrees = agree(question, *of_processes[i], all);
  }
  return all;
}

Replies merged_replies(std::span<const Replies> all) {
  if (all.empty()) throw std::invalid_argument("no replies to merge");
  // A process that ended early has answered the first questions.
  const auto most = std::ranges::max_element(
      all, {}, [](const Replies& replies) { return replies.answers.size(); });
  Replies merged{.context = all.front().context, .seed = all.front().seed};
  for (std::size_t i = 0; i < most->answers.size(); ++i) {
    std::vector<const Reply*> of_processes;
    for (const Replies& replies : all) {
      if (i < replies.answers.size()) of_processes.push_back(&replies.answers[i]);
    }
    const Question* const question = find_question(most->answers[i].question);
    if (question == nullptr) throw std::invalid_argument("processes answered another question");
    merged.answers.push_back(merged_reply(*question, of_processes));
  }
  return merged;
}

}  // namespace trilane
