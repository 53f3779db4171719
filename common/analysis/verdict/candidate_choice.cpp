#include "common/analysis/verdict/candidate_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "common/analysis/statistics/paired_ratio.hpp"
#include "common/analysis/verdict/answers.hpp"
#include "common/analysis/verdict/range_words.hpp"
#include "common/analysis/verdict/verdict_parts.hpp"
#include "common/analysis/verdict/winners.hpp"
#include "common/results/find.hpp"
#include "common/text/size.hpp"
#include "common/text/words.hpp"

namespace trilane {
namespace {

constexpr char same_calls[] = "the same calls";

/// The host code's share of an iteration, as a sentence after a space; empty if it is not known.
std::string host_code(const Comparison& comparison, const Measurement& m) {
  if (!comparison.host_us) return "";
  return fmt::format(" Your host code stays as it is and takes {} us of an iteration ({}).",
                     format_us(*comparison.host_us),
                     percent(std::min(1.0, *comparison.host_us / m.wall->mean), 0));
}

/// What the fastest bound allows beyond `use`, the same.
std::string bounds_beyond(const Comparison& comparison, const Measurement& use) {
  for (const Measurement* m : timed_variants(comparison)) {
    if (!is_bound(m->plan.model) || !m->ratio || !clearly_faster(*m, use)) continue;
    return fmt::format(" With only the last of the host's waits: at most {} times ({}, a bound).",
                       said_speed(1 / m->ratio->estimate), m->variant);
  }
  return "";
}

Choice without_replay(const Comparison& comparison) {
  const Measurement* const calls = find_variant(comparison, comparison.reference);
  const std::string why =
      calls == nullptr || calls->message.empty() ? "they were not measured" : calls->message;
  return {.said = fmt::format("{} could not be replayed: {}.", same_calls, why)};
}

/// "Graph set?" for graph_set.
std::string question_on(const std::string& variant) {
  std::string text = variant;
  std::ranges::replace(text, '_', ' ');
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text + "?";
}

std::string answer_on_bound(const Measurement& m) {
  if (effect_of(m.ratio) != Effect::gains) return "No gain, even as a bound.";
  return fmt::format("At most {}x: a bound, for the host may need what it waits for.",
                     said_speed(1 / m.ratio->estimate));
}

std::string answer_on_timed(const Measurement& m, const Measurement* calls) {
  if (is_bound(m.plan.model)) return answer_on_bound(m);
  switch (effect_of(m.ratio)) {
    case Effect::gains: {
      const std::string speed = said_speed(1 / m.ratio->estimate);
      if (calls == nullptr || !calls->wall) return fmt::format("Yes: {}x.", speed);
      return fmt::format("Yes: {}x; an iteration takes {} us less.", speed,
                         format_us(calls->wall->mean * (1 - m.ratio->estimate)));
    }
    case Effect::loses: return fmt::format("No: {}x.", said_speed(1 / m.ratio->estimate));
    case Effect::nothing: return fmt::format("No: {}.", no_difference(m.ratio->covers));
    case Effect::unclear: break;
  }
  return "Too few rounds to tell.";
}

std::string answer_on(const Measurement& m, const Measurement* calls) {
  const std::string why = m.message.empty() ? "" : ": " + m.message;
  switch (m.status) {
    case Status::ok: return m.wall ? answer_on_timed(m, calls) : "Not measured.";
    case Status::failed: return fmt::format("Failed{}.", why);
    case Status::not_supported: return fmt::format("Does not apply{}.", why);
    case Status::out_of_memory: return fmt::format("Out of memory{}.", why);
    case Status::not_run: return fmt::format("Not run{}.", why);
  }
  return "";
}

}  // namespace

Choice choose_candidate(const Comparison& comparison, Times times) {
  const Measurement* const calls = find_variant(comparison, comparison.reference);
  if (calls == nullptr || calls->status != Status::ok || !calls->wall)
    return without_replay(comparison);
  const Speaker speaker(comparison, times);
  const auto winner =
      std::ranges::find(comparison.winners, tier_of(calls->plan.model), &Winner::tier);
  const Measurement* use =
      winner == comparison.winners.end() ? nullptr : find_variant(comparison, winner->variant);
  if (use == nullptr || use == calls) {
    return {
        .use = calls,
        .said = fmt::format("nothing that was tried makes an iteration faster than {}, {} us.{}{}",
                            same_calls, format_us(calls->wall->mean), host_code(comparison, *calls),
                            bounds_beyond(comparison, *calls))};
  }
  return {.use = use,
          .over = calls,
          .ratio = use->ratio,
          .said = fmt::format("use {}: {}, {} instead of {} us an iteration.{}{}", use->variant,
                              speaker.faster(*use->ratio, same_calls), format_us(use->wall->mean),
                              format_us(calls->wall->mean), host_code(comparison, *use),
                              bounds_beyond(comparison, *use))};
}

std::vector<Answer> candidate_answers(const Comparison& comparison) {
  const Measurement* const calls = find_variant(comparison, comparison.reference);
  std::vector<Answer> answers;
  for (const Measurement& m : comparison.measurements) {
    if (m.variant.empty() || m.variant == comparison.reference) continue;
    answers.push_back({question_on(m.variant), answer_on(m, calls)});
  }
  return answers;
}

}  // namespace trilane
