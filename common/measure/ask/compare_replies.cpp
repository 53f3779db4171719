#include "common/measure/ask/compare_replies.hpp"

#include "common/base/text/words.hpp"
#include "common/explain/statistics/statistics.hpp"
#include "common/measure/ask/question.hpp"

namespace trilane {
namespace {

BOOST_DEFINE_ENUM_CLASS(Agreement, same, different, failed, decided_on_one_side_only)

/// The findings so far, as they are shown.
struct Found {
  std::map<Agreement, std::size_t> answers{};
  std::map<Agreement, Page> sections{};
  std::size_t figures = 0;
  std::vector<std::vector<std::string>> moved{};  ///< rows: a question, and its figures
  std::size_t moves = 0;
  bool one_process = false;
};

/// Compares cases, too, if this program knows the question with the figures of both replies.
bool same_answer(const Reply& before, const Reply& now) try {
  const Question* const question = find_question(before.question);
  return question ? agree(*question, before, now) : before.finding == now.finding;
} catch (const std::logic_error&) {
  return before.finding == now.finding;
}

Agreement agreement_of(const Reply& before, const Reply& now) {
  using enum Finding;
  const bool old_open = before.finding == undecided || before.finding == not_modelled;
  const bool new_open = now.finding == undecided || now.finding == not_modelled;
  if (before.finding == failed || now.finding == failed) return Agreement::failed;
  if (old_open != new_open) return Agreement::decided_on_one_side_only;
  return new_open || same_answer(before, now) ? Agreement::same : Agreement::different;
}

/// Returns true if the answer changed, or failed in the new run alone.
bool add_answer(Found& found, const Reply& before, const Reply& now) {
  constexpr std::size_t longest = 240;
  const Agreement agreement = agreement_of(before, now);
  ++found.answers[agreement];
  if (agreement == Agreement::same) return false;
  const Question* const question = find_question(before.question);
  Page& page = found.sections[agreement];
  if (page.empty()) page.emplace_back(Heading{capitalised(words_of_name(agreement)), ""});
  page.emplace_back(LabelledText{
      before.question, fmt::format("{}{}, now {}.", question ? question->text + ' ' : "",
                                   capitalised(name_of(before.finding)), name_of(now.finding))});
  if (agreement == Agreement::decided_on_one_side_only) return false;
  page.emplace_back(LabelledText{"  old", clipped(answer_of(before), longest)});
  page.emplace_back(LabelledText{"  new", clipped(answer_of(now), longest)});
  return before.finding != Finding::failed;
}

std::vector<std::uint64_t> rounds_by_process(const Reply& reply) {
  if (!reply.processes) return {reply.rounds()};
  std::vector<std::uint64_t> rounds = transformed(*reply.processes, &ProcessReply::rounds);
  std::erase(rounds, 0);
  return rounds;
}

/// The lowest and the highest quartile of a process.
struct Quartiles {
  Quartiles(const Reply& reply, const Figure& figure) {
    std::span<const double> rest(figure.samples);
    for (const std::uint64_t rounds : rounds_by_process(reply)) {
      low = std::min(low, quantile(rest.first(rounds), 0.25));
      high = std::max(high, quantile(rest.first(rounds), 0.75));
      rest = rest.subspan(rounds);
    }
  }
  double low = HUGE_VAL, high = -HUGE_VAL;
};

void add_figures(Found& found, const Reply& before, const Reply& now, FigureTolerance tolerance) {
  if (before.figures.empty() || now.figures.empty()) return;
  const bool alone = rounds_by_process(before).size() == 1 || rounds_by_process(now).size() == 1;
  found.one_process |= alone && tolerance.process_spread > 0;
  const double same = (1 + tolerance.same_within) * (1 + alone * tolerance.process_spread);
  std::vector<std::vector<std::string>> rows{{before.question, "", "", ""}};
  for (const Figure& was : before.figures) {
    const auto is = std::ranges::find(now.figures, was.name, &Figure::name);
    if (is == now.figures.end() || is->quantity != was.quantity) continue;
    ++found.figures;
    const Quartiles old_ones(before, was), new_ones(now, *is);
    if (old_ones.high >= new_ones.low && new_ones.high >= old_ones.low) continue;
    const double old_median = median(was.samples), new_median = median(is->samples);
    const auto [low, high] = std::minmax(old_median, new_median);
    if (was.quantity == Quantity::us && high <= same * low) continue;
    const bool has_ratio = was.quantity != Quantity::error && low > 0;
    rows.push_back({"  " + was.name, in_words(was.quantity, old_median),
                    in_words(was.quantity, new_median),
                    has_ratio ? said_speed(new_median / old_median) : "-"});
  }
  found.moves += rows.size() - 1;
  if (rows.size() > 1) std::ranges::move(rows, std::back_inserter(found.moved));
}

std::string result_in_words(Found& found, std::size_t all) {
  std::string text =
      fmt::format("Answers that differ: {} of {}", found.answers[Agreement::different], all);
  for (const auto& [kind, count] : found.answers) {
    if (kind > Agreement::different) text += fmt::format("; {}: {}", words_of_name(kind), count);
  }
  return fmt::format("{}. Figures that moved: {} of {}.", text, found.moves, found.figures);
}

Paragraph how_to_read(bool one_process, const FigureTolerance& tolerance) {
  std::string text = fmt::format(
      "A time has moved if the quartiles of each process on one side are above those of each on "
      "the other, and the medians differ by more than {}.",
      percent(tolerance.same_within));
  if (one_process) {
    text += fmt::format(
        " Beside a single process they must differ by another {} "
        "(--process-spread); ask with --processes 5 to see more.",
        percent(tolerance.process_spread));
  }
  return {text};
}

}  // namespace

RepliesChange compare_replies(const Replies& before, const Replies& now,
                              FigureTolerance tolerance) {
  RepliesChange change;
  Found found;
  const bool simulated = !now.context.simulated.empty();
  if (simulated) tolerance.process_spread = 0;
  std::vector<std::string> only_before, only_now = transformed(now.answers, &Reply::question);
  for (const Reply& reply : before.answers) {
    const auto other = std::ranges::find(now.answers, reply.question, &Reply::question);
    if (other == now.answers.end()) {
      only_before.push_back(reply.question);
      continue;
    }
    std::erase(only_now, reply.question);
    if (add_answer(found, reply, *other)) change.changed.push_back(reply.question);
    if (before.context.simulated.empty() != simulated) add_figures(found, reply, *other, tolerance);
  }
  if (found.answers.empty()) return change;
  change.page.push_back(
      Paragraph{result_in_words(found, before.answers.size() - only_before.size())});
  for (auto& [_, section] : found.sections) append(change.page, std::move(section));
  if (found.moves > 0) {
    change.page.push_back(Table{{"figure that moved", ">old median", ">new median", ">new/old"},
                                std::move(found.moved),
                                {}});
  }
  if (found.figures > 0) change.page.push_back(how_to_read(found.one_process, tolerance));
  for (const auto& [side, names] : {std::pair{"old", only_before}, std::pair{"new", only_now}}) {
    if (!names.empty()) {
      change.page.push_back(Bullet{fmt::format("Only in {}: {}.", side, listed(names))});
    }
  }
  return change;
}

}  // namespace trilane
