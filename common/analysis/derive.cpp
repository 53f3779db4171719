#include "common/analysis/derive.hpp"

#include "common/analysis/limits/bounds.hpp"
#include "common/analysis/limits/regime.hpp"
#include "common/analysis/statistics/statistics.hpp"
#include "common/analysis/verdict/answers.hpp"
#include "common/analysis/verdict/break_even/break_even.hpp"
#include "common/analysis/verdict/doubts.hpp"
#include "common/analysis/verdict/verdict.hpp"
#include "common/analysis/verdict/winners.hpp"

namespace trilane {

void derive(Comparison& comparison, const std::string& simulated) {
  summarise(comparison);
  find_break_even(comparison);
  judge_regime(comparison);
  find_bounds(comparison);
  comparison.winners = winners_of(comparison);
  comparison.verdict = verdict(comparison, simulated);
  comparison.advice = advice(comparison);
}

void derive_answers(Results& results) {
  results.answers = answers_to(results.comparisons);
  results.doubts.clear();
  for (const Doubt& doubt : doubts_about(results)) results.doubts.push_back(in_words(doubt));
}

void derive(Results& results) {
  for (Comparison& comparison : results.comparisons) {
    derive(comparison, results.context.simulated);
  }
  derive_answers(results);
}

}  // namespace trilane
