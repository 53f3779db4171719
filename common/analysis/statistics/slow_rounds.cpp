#include "common/analysis/statistics/slow_rounds.hpp"

#include <algorithm>

namespace trilane {

std::vector<bool> slow_rounds(std::span<const double> host_us) {
  std::vector<bool> slow(host_us.size());
  if (host_us.empty()) return slow;
  std::vector<double> sorted(host_us.begin(), host_us.end());
  const auto tenth = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 10);
  std::ranges::nth_element(sorted, tenth);
  const double most_us = *tenth * (1 + slowed_by);
  std::transform(host_us.begin(), host_us.end(), slow.begin(),
                 [&](double us) { return us > most_us; });
  return slow;
}

}  // namespace trilane
