#include "common/explain/statistics/wall_ratio.hpp"

#include <algorithm>

#include "common/explain/statistics/turns.hpp"
#include "common/explain/statistics/variant_ratio.hpp"

namespace trilane {
namespace {

/// Returns nothing if one of the errors is unknown.
std::optional<double> larger_error(const Prediction& one, const Prediction& other) {
  if (!one.ratio_error || !other.ratio_error) return std::nullopt;
  return std::max(*one.ratio_error, *other.ratio_error);
}

}  // namespace

Ratio within_error(double estimate, double factor) {
  return {estimate, estimate / factor, estimate * factor, Covers::model_error};
}

std::optional<Ratio> wall_ratio(const Measurement& m, const Measurement& base) {
  if (!m.prediction || !base.prediction) return variant_ratio(m.samples, base.samples);
  if (m.samples.empty() || base.samples.empty()) return std::nullopt;
  const double estimate = pass_us(m.samples) / pass_us(base.samples);
  if (const auto factor = larger_error(*m.prediction, *base.prediction)) {
    return within_error(estimate, *factor);
  }
  Ratio ratio = undecided(estimate);
  ratio.covers = Covers::model_error;
  return ratio;
}

}  // namespace trilane
