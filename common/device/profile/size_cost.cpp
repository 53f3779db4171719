#include <algorithm>
#include <cmath>

#include "common/device/profile/profile.hpp"

namespace trilane {

double at_size(const std::vector<SizeCost>& costs, std::uint64_t bytes) {
  if (costs.empty()) return 0;
  auto upper = std::ranges::lower_bound(costs, bytes, {}, &SizeCost::bytes);
  if (upper == costs.end()) --upper;
  if (upper == costs.begin()) return upper->us;
  const SizeCost &low = upper[-1], &high = *upper;
  if (bytes > high.bytes && high.us < low.us) return high.us;
  return std::lerp(
      low.us, high.us,
      static_cast<double>(bytes - low.bytes) / static_cast<double>(high.bytes - low.bytes));
}

}  // namespace trilane
