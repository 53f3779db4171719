#include "common/explain/statistics/slow_rounds.hpp"

#include <algorithm>

#include "common/explain/statistics/statistics.hpp"

namespace trilane {

namespace {

/// Returns running medians over five values, fewer at the ends.
std::vector<double> smoothed(std::span<const double> values) {
  constexpr std::size_t reach = 2;
  std::vector<double> smooth;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t first = i < reach ? 0 : i - reach;
    const std::size_t last = std::min(values.size(), i + reach + 1);
    smooth.push_back(median(values.subspan(first, last - first)));
  }
  return smooth;
}

}  // namespace

std::vector<bool> slow_rounds(std::span<const double> host_us) {
  std::vector<bool> slow(host_us.size());
  if (host_us.empty()) return slow;
  const std::vector<double> smooth = smoothed(host_us);
  std::vector<double> sorted = smooth;
  const auto tenth = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 10);
  std::ranges::nth_element(sorted, tenth);
  const double most_us = *tenth * (1 + slowed_by);
  std::transform(smooth.begin(), smooth.end(), slow.begin(),
                 [&](double us) { return us > most_us; });
  return slow;
}

}  // namespace trilane
