#include "common/explain/statistics/coverage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <stdexcept>

namespace trilane {
namespace {

using Binomial = boost::math::binomial_distribution<double>;

void ensure_trials(std::size_t hits, std::size_t trials) {
  if (trials > 0 && hits <= trials) return;
  throw std::invalid_argument(fmt::format("{} of {} trials", hits, trials));
}

}  // namespace

Share clopper_pearson(std::size_t hits, std::size_t trials) {
  ensure_trials(hits, trials);
  constexpr double each_side = 0.025;
  const auto n = static_cast<double>(trials), k = static_cast<double>(hits);
  return {Binomial::find_lower_bound_on_p(n, k, each_side),
          Binomial::find_upper_bound_on_p(n, k, each_side)};
}

double binomial_test(std::size_t hits, std::size_t trials, double probability) {
  ensure_trials(hits, trials);
  const Binomial counts(static_cast<double>(trials), probability);
  // Rounding may separate equally likely counts.
  const double as_likely = boost::math::pdf(counts, static_cast<double>(hits)) * (1 + 1e-7);
  double p = 0;
  for (std::size_t count = 0; count <= trials; ++count) {
    const double likely = boost::math::pdf(counts, static_cast<double>(count));
    if (likely <= as_likely) p += likely;
  }
  return std::min(p, 1.0);
}

}  // namespace trilane
