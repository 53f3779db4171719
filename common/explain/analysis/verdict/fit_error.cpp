#include "common/explain/analysis/verdict/derive.hpp"

#include "common/explain/analysis/verdict/break_even.hpp"
#include "common/explain/analysis/verdict/loads.hpp"
#include "common/explain/statistics/statistics.hpp"
#include "common/model/results/find.hpp"

namespace trilane {
namespace {

constexpr double covered = 0.95;  // of the cases
constexpr double digits = 1e3;    // more say nothing, with so few cases

std::optional<double> factor_in(const std::optional<ErrorFactor>& error) {
  return error ? std::optional(error->factor) : std::nullopt;
}

/// `errors` are of one bottleneck or of all.
std::optional<ErrorFactor> error_of(const auto& errors, Tier tier) {
  switch (tier) {
    case Tier::same_operations: return errors.same_operations;
    case Tier::moved_together: return errors.moved_together;
    case Tier::rewritten: break;
  }
  return errors.rewritten;
}

enum class Bottleneck { kernels, copies, overheads };

const std::optional<RatioErrors>& errors_in(const ModelError& error, Bottleneck bottleneck) {
  switch (bottleneck) {
    case Bottleneck::kernels: return error.kernels;
    case Bottleneck::copies: return error.copies;
    case Bottleneck::overheads: break;
  }
  return error.overheads;
}

/// Returns what limits a predicted variant, if it comes close enough to its bound.
Bottleneck bottleneck_of(const Measurement& m) {
  constexpr double near = 0.5;
  if (!m.bound_by || m.efficiency.value_or(0) < near) return Bottleneck::overheads;
  switch (*m.bound_by) {
    case Limiter::sms:
    case Limiter::kernel_launches:
    case Limiter::kernels_in_turn:
    case Limiter::own_kernels: return Bottleneck::kernels;
    case Limiter::copy_in:
    case Limiter::copy_out:
    case Limiter::copies_in_turn:
    case Limiter::one_copy_engine:
    case Limiter::link: return Bottleneck::copies;
    case Limiter::host_submission:
    case Limiter::lane_stages:
    case Limiter::one_chunk:
    case Limiter::taking_turns:
    case Limiter::overlap:
    case Limiter::memory_management:
    case Limiter::waiting:
    case Limiter::launch_and_wait: break;
  }
  return Bottleneck::overheads;
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

using LogErrors = std::map<Tier, std::vector<double>>;

RatioErrors factors_of(LogErrors& ratios) {
  return {factor_of(ratios[Tier::same_operations]), factor_of(ratios[Tier::moved_together]),
          factor_of(ratios[Tier::rewritten])};
}

/// The error of a ratio is the difference of the errors of both times.
void add_ratios(const std::vector<Both>& variants, std::map<Bottleneck, LogErrors>& ratios) {
  for (auto one = variants.begin(); one != variants.end(); ++one) {
    for (auto other = variants.begin(); other != one; ++other) {
      const Tier tier = std::max(one->tier(), other->tier());
      const Bottleneck bottleneck =
          std::max(bottleneck_of(*one->predicted), bottleneck_of(*other->predicted));
      ratios[bottleneck][tier].push_back(std::abs(one->log_error() - other->log_error()));
    }
  }
}

/// Adds the errors of break-evens after some passes, if the prediction shows a gain.
void add_break_evens(const Comparison& measured, Comparison predicted, const ModelError& error,
                     std::vector<double>& log_errors) {
  for (Measurement& m : predicted.measurements) {
    m.prediction = prediction_with(error, tier_of(m.plan.model));
  }
  refine_predictions(predicted, error);
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

void refine_predictions(Comparison& comparison, const ModelError& error) {
  constexpr std::uint64_t fewest = 20;  // cases
  summarise(comparison);
  find_bounds(comparison);
  const Measurement* const reference = find_reference(comparison);
  for (Measurement& m : comparison.measurements) {
    if (!reference || !m.prediction || !m.prediction->ratio_error) continue;
    const auto& errors = errors_in(error, std::max(bottleneck_of(m), bottleneck_of(*reference)));
    const auto found = errors ? error_of(*errors, tier_of(m.plan.model)) : std::nullopt;
    if (found && found->cases >= fewest) m.prediction->ratio_error = found->factor;
  }
}

ModelError fitted_error(std::span<const Comparison> measured,
                        std::span<const Comparison> predicted) {
  if (measured.size() != predicted.size()) {
    throw std::invalid_argument("not as many comparisons predicted as measured");
  }
  std::map<Bottleneck, LogErrors> ratios;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    add_ratios(timed_in_both(measured[i], predicted[i]), ratios);
  }
  LogErrors all;
  for (const auto& [bottleneck, by_tier] : ratios) {
    for (const auto& [tier, errors] : by_tier) {
      all[tier].insert(all[tier].end(), errors.begin(), errors.end());
    }
  }
  const RatioErrors anywhere = factors_of(all);
  const auto where = [&](Bottleneck bottleneck) {
    return ratios.contains(bottleneck) ? std::optional(factors_of(ratios[bottleneck]))
                                       : std::nullopt;
  };
  ModelError error{.same_operations = anywhere.same_operations,
                   .moved_together = anywhere.moved_together,
                   .rewritten = anywhere.rewritten,
                   .kernels = where(Bottleneck::kernels),
                   .copies = where(Bottleneck::copies),
                   .overheads = where(Bottleneck::overheads)};
  std::vector<double> break_evens;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    add_break_evens(measured[i], predicted[i], error, break_evens);
  }
  error.break_even = factor_of(break_evens);
  return error;
}

}  // namespace trilane
