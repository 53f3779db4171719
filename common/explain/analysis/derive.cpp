#include "common/explain/analysis/derive.hpp"

#include "common/explain/analysis/limits/loads.hpp"
#include "common/explain/analysis/limits/regime.hpp"
#include "common/explain/analysis/verdict/answers.hpp"
#include "common/explain/analysis/verdict/break_even.hpp"
#include "common/explain/analysis/verdict/doubts.hpp"
#include "common/explain/analysis/verdict/verdict.hpp"
#include "common/explain/analysis/verdict/winners.hpp"
#include "common/explain/statistics/statistics.hpp"

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
