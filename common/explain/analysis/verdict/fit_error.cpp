#include "common/explain/analysis/verdict/derive.hpp"

#include "common/explain/analysis/verdict/break_even.hpp"
#include "common/explain/statistics/statistics.hpp"
#include "common/model/results/find.hpp"

namespace trilane {
namespace {

constexpr double covered = 0.95;  // of the cases
constexpr double digits = 1e3;    // more say nothing, with so few cases

std::optional<double> factor_in(const std::optional<ErrorFactor>& error) {
  return error ? std::optional(error->factor) : std::nullopt;
}

const std::optional<ErrorFactor>& error_of(const ModelError& error, Tier tier) {
  switch (tier) {
    case Tier::same_operations: return error.same_operations;
    case Tier::moved_together: return error.moved_together;
    case Tier::rewritten: break;
  }
  return error.rewritten;
}

double wall_us(const Measurement& m) { return pass_us(m.samples); }

struct Both {
  const Measurement *measured, *predicted;

  Tier tier() const { return tier_of(predicted->plan.model); }
  double log_error() const { return std::log(wall_us(*predicted) / wall_us(*measured)); }
};

std::vector<Both> timed_in_both(const Comparison& measured, const Comparison& predicted) {
  std::vector<Both> found;
  for (const Measurement& m : predicted.measurements) {
    const Measurement* const other = find_variant(measured, m.variant);
    if (other && was_timed(*other) && was_timed(m)) found.push_back({other, &m});
  }
  return found;
}

std::optional<ErrorFactor> factor_of(const std::vector<double>& log_errors) {
  if (log_errors.empty()) return std::nullopt;
  const double factor = std::exp(quantile(log_errors, covered));
  return ErrorFactor{log_errors.size(), std::ceil(factor * digits) / digits};
}

using ByTier = std::map<Tier, std::vector<double>>;

/// The error of a ratio is the difference of the errors of both times.
void add_ratios(const std::vector<Both>& variants, ByTier& log_errors) {
  for (auto one = variants.begin(); one != variants.end(); ++one) {
    for (auto other = variants.begin(); other != one; ++other) {
      const Tier tier = std::max(one->tier(), other->tier());
      log_errors[tier].push_back(std::abs(one->log_error() - other->log_error()));
    }
  }
}

/// Adds the errors of break-evens after some passes, if the prediction shows a gain.
void add_break_evens(const Comparison& measured, Comparison predicted, const ModelError& error,
                     std::vector<double>& log_errors) {
  for (Measurement& m : predicted.measurements) {
    m.prediction = prediction_with(error, tier_of(m.plan.model));
  }
  summarise(predicted);
  find_break_even(predicted);
  const auto passes_of = [](const Measurement& m) {
    const bool later = m.break_even && m.break_even->pays == Pays::later;
    return later ? m.break_even->passes.value_or(0) : 0;
  };
  for (const Both& variant : timed_in_both(measured, predicted)) {
    const double real = passes_of(*variant.measured), foretold = passes_of(*variant.predicted);
    if (real > 0 && foretold > 0) log_errors.push_back(std::abs(std::log(foretold / real)));
  }
}

}  // namespace

Prediction prediction_with(const ModelError& error, Tier tier) {
  return {factor_in(error_of(error, tier)), factor_in(error.break_even)};
}

ModelError fitted_error(std::span<const Comparison> measured,
                        std::span<const Comparison> predicted) {
  if (measured.size() != predicted.size()) {
    throw std::invalid_argument("not as many comparisons predicted as measured");
  }
  ByTier ratios;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    add_ratios(timed_in_both(measured[i], predicted[i]), ratios);
  }
  ModelError error{.same_operations = factor_of(ratios[Tier::same_operations]),
                   .moved_together = factor_of(ratios[Tier::moved_together]),
                   .rewritten = factor_of(ratios[Tier::rewritten])};
  std::vector<double> break_evens;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    add_break_evens(measured[i], predicted[i], error, break_evens);
  }
  error.break_even = factor_of(break_evens);
  return error;
}

}  // namespace trilane
