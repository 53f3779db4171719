#include "common/explain/fleet/fleet.hpp"

namespace trilane {
namespace {

using Indices = std::vector<std::size_t>;

struct Rest {
  double mean = 0, variance = 0;
};

Rest rest_of(std::span<const LogMean> values, const Indices& indices) {
  const auto n = static_cast<double>(indices.size());
  Rest rest;
  for (const std::size_t i : indices) rest.mean += values[i].mean / n;
  for (const std::size_t i : indices) {
    rest.variance += (values[i].mean - rest.mean) * (values[i].mean - rest.mean) / (n - 1);
  }
  return rest;
}

/// Returns by how much each value's variance exceeds what is typical and therefore part of the
/// spread of all.
std::vector<double> excess_variances(std::span<const LogMean> values) {
  std::vector<double> excess = transformed(values, &LogMean::variance);
  const double typical = median(excess);
  for (double& variance : excess) variance = std::max(0.0, variance - typical);
  return excess;
}

/// Returns the distance in Student's t at which one of `count` values with the last of `removed`
/// differs: that of Rosner or, below 25 values, for which his is too small, one that holds for each
/// choice of the removed (Bonferroni).
double critical(std::size_t count, std::size_t removed, std::size_t most, double alarms) {
  const auto n = static_cast<double>(count), r = static_cast<double>(removed);
  double choices = n - r + 1;
  if (count < 25) {
    choices = r * static_cast<double>(most);
    for (double i = 0; i < r; ++i) choices *= (n - i) / (i + 1);
  }
  return -quantile_of({0, 1, n - r - 1}, alarms / (2 * choices));
}

}  // namespace

Indices odd_values(std::span<const LogMean> values, double alarms, double least) {
  if (values.size() < 3) return {};
  const std::vector<double> excess = excess_variances(values);
  const double margin = std::log1p(least);
  Indices rest(values.size()), removed;
  for (std::size_t i = 0; i < rest.size(); ++i) rest[i] = i;
  std::size_t odd = 0;
  const std::size_t most = std::max<std::size_t>(1, values.size() / 4);
  while (removed.size() < most) {
    const Rest all = rest_of(values, rest);
    const auto distance = [&](std::size_t i) {
      const double spread = std::sqrt(all.variance + excess[i]);
      return spread > 0 ? std::abs(values[i].mean - all.mean) / spread : 0;
    };
    const auto furthest = std::ranges::max_element(rest, {}, distance);
    removed.push_back(*furthest);
    rest.erase(furthest);
    const auto [mean, variance] = rest_of(values, rest);
    const double away = std::abs(values[removed.back()].mean - mean);
    const auto n = static_cast<double>(rest.size());
    const double error = std::sqrt(variance * (1 + 1 / n) + excess[removed.back()]);
    if (away > margin && away > error * critical(values.size(), removed.size(), most, alarms)) {
      odd = removed.size();
    }
  }
  removed.resize(odd);
  const Rest others = [&] {
    Indices kept;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!includes(removed, i)) kept.push_back(i);
    }
    return rest_of(values, kept);
  }();
  std::erase_if(removed,
                [&](std::size_t i) { return !(std::abs(values[i].mean - others.mean) > margin); });
  return removed;
}

}  // namespace trilane
