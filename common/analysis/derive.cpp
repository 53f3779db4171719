#include "common/analysis/derive.hpp"

#include "common/analysis/limits/bounds.hpp"
#include "common/analysis/limits/regime.hpp"
#include "common/analysis/statistics/statistics.hpp"
#include "common/analysis/verdict/break_even.hpp"
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

void derive(Results& results) {
  for (Comparison& comparison : results.comparisons) {
    derive(comparison, results.context.simulated);
  }
}

}  // namespace trilane
