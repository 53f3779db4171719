#include "common/explain/statistics/drift.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/base/text/size.hpp"
#include "common/explain/statistics/statistics.hpp"

namespace trilane {
namespace {

constexpr std::size_t fewest_of_drift = 18;
constexpr double least_drift = 0.03, drift_tail = 0.05;

bool is_below(std::span<const double> low, std::span<const double> middle,
              std::span<const double> high) {
  const double between = median(middle);
  return quantile(low, 1 - drift_tail) < quantile(high, drift_tail) && median(low) <= between &&
         between <= median(high);
}

}  // namespace

std::optional<Drift> drift_of(std::span<const double> values) {
  if (values.size() < fewest_of_drift) return std::nullopt;
  const std::size_t third = values.size() / 3;
  const auto first = values.first(third), last = values.last(third),
             middle = values.subspan(third, values.size() - 2 * third);
  const Drift drift{mean(first), mean(last)};
  const bool far = std::abs(drift.to - drift.from) >= least_drift * std::min(drift.from, drift.to);
  const bool one_way = is_below(first, middle, last) || is_below(last, middle, first);
  return far && one_way ? std::optional(drift) : std::nullopt;
}

std::string in_words(const Drift& drift) {
  return fmt::format("from {} to {} us", format_us(drift.from), format_us(drift.to));
}

}  // namespace trilane
