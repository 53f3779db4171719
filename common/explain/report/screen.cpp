#include "common/explain/report/screen.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "common/base/text/layout.hpp"
#include "common/base/text/words.hpp"
#include "common/explain/analysis/verdict/answers.hpp"
#include "common/explain/analysis/verdict/doubts.hpp"
#include "common/explain/analysis/verdict/verdict.hpp"
#include "common/explain/report/screen_parts.hpp"
#include "common/model/results/find.hpp"

namespace trilane {
namespace {

std::size_t lines_of(const Page& page) {
  const std::string text = as_text(page);
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

/// Returns the number of lines beside a label, whose column is as wide as the longest label.
std::size_t lines_beside_label(const std::string& text) {
  return lines_of({LabelledText{"CUT SHORT", text}});
}

/// The limits of a screen's content, reduced until it fits.
struct Room {
  std::size_t rows;
  int details = 2;  ///< of the advice: 2 is everything, 1 leaves out its cost
};

Times times_of(const Results& results) {
  return results.context.simulated.empty() ? Times::measured : Times::simulated;
}

/// Adds what to use on the only workload, its cost, its limit and what to try.
void add_advice(Page& page, const Comparison& comparison, Times times, int details) {
  constexpr std::size_t use_lines = 3, other_lines = 2;
  const Choice choice = choose(comparison, times);
  const auto add = [&](const char* label, const std::string& text, std::size_t lines) {
    if (!text.empty()) page.push_back(limited(label, text, lines));
  };
  add("Answer", capitalised(choice.said), use_lines);
  if (details > 1) add("", choice.submission + cost_of(choice) + choice.ties, other_lines);
  if (details == 0) return;
  if (!comparison.advice || comparison.advice->limited_by.empty()) return;
  const Advice& advice = *comparison.advice;
  add("Limit", fmt::format("{}: {}.", capitalised(advice.limited_by), advice.figures), other_lines);
  if (!advice.next.empty()) add("Next", capitalised(advice.next) + ".", other_lines);
}

/// Adds each answer, with as many workloads by name as fit on its lines.
void add_answers(Page& page, const Results& results, std::size_t lines) {
  for (auto [question, answer] : answers_to(results.comparisons)) {
    for (std::size_t most = 2; most > 0 && lines_beside_label(answer) > lines; --most) {
      const std::vector<Answer> shorter = answers_to(results.comparisons, most);
      answer = std::ranges::find(shorter, question, &Answer::question)->text;
    }
    page.push_back(limited(question, answer, lines));
  }
}

void add_doubts(Page& page, const Results& results, std::size_t most) {
  const char* label = "Doubtful";
  for (const Doubt& doubt : doubts_about(results)) {
    if (most-- == 0) break;
    page.push_back(limited(std::exchange(label, ""), in_words(doubt), 2));
  }
}

Page laid_out(const Results& results, const std::string& more, Room room) {
  const bool one = results.comparisons.size() == 1;
  const Times times = times_of(results);
  Page page = alarms(results, 2);
  page.push_back(summary(results));
  if (results.comparisons.empty()) return page;
  Rows rows = one ? variant_rows(results.comparisons.front(), room.rows)
                  : workload_rows(results.comparisons, room.rows);
  page.push_back(std::move(rows.table));
  if (!rows.note.text.empty()) page.push_back(std::move(rows.note));
  if (one) add_advice(page, results.comparisons.front(), times, room.details);
  add_answers(page, results, one ? 2 : 3);
  add_doubts(page, results, one ? 3 : 5);
  if (!more.empty()) page.push_back(limited("More", more, 2));
  return page;
}

}  // namespace

std::string row_label(const Comparison& comparison, const std::vector<Comparison>& all) {
  constexpr std::size_t widest = 30;
  return clipped(label_among(comparison, all), widest);
}

LabelledText limited(const std::string& label, const std::string& text, std::size_t lines) {
  LabelledText part{label, text};
  for (std::size_t width = lines * screen_width;
       lines_beside_label(part.text) > lines && width > 10; width -= 5) {
    part.text = clipped(text, width);
  }
  return part;
}

Page screen_page(const Results& results, const std::string& more) {
  constexpr std::size_t few_rows = 6;  // before details are dropped
  const bool one = results.comparisons.size() == 1;
  const std::size_t lines = one ? screen_lines_of_one : screen_lines;
  Room room{one ? results.comparisons.front().measurements.size() : results.comparisons.size()};
  Page page = laid_out(results, more, room);
  for (std::size_t now = lines_of(page); now > lines; now = lines_of(page)) {
    const std::size_t fewest = one && room.details > 0 ? few_rows : 1;
    if (room.rows > fewest) {
      room.rows = std::max(fewest, room.rows - std::min(room.rows, now - lines));
    } else if (one && room.details > 0) {
      --room.details;
    } else {
      break;
    }
    page = laid_out(results, more, room);
  }
  return page;
}

Page answers_page(const Results& results) {
  Page page = alarms(results, 2);
  for (const Comparison& comparison : results.comparisons) {
    page.push_back(LabelledText{row_label(comparison, results.comparisons),
                                capitalised(choose(comparison, times_of(results)).said)});
  }
  for (const auto& [question, answer] : answers_to(results.comparisons)) {
    page.push_back(LabelledText{question, answer});
  }
  return page;
}

}  // namespace trilane
