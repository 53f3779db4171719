#include "common/application/diagnosis/time/shares.hpp"

#include <algorithm>
#include <functional>

namespace trilane {

std::vector<TimeShare> Shares::sorted(double whole_us) const {
  std::vector<TimeShare> shares;
  for (const auto& [key, cost] : costs_) {  // by use
    if (shares.empty() || shares.back().use != key.first) {
      shares.push_back({.use = key.first, .us = 0, .share = 0, .count = 0, .calls = {}});
    }
    TimeShare& share = shares.back();
    share.us += cost.us;
    share.count += cost.count;
    share.calls.push_back({.name = key.second, .count = cost.count, .us = cost.us});
  }
  for (TimeShare& share : shares) {
    share.share = whole_us > 0 ? share.us / whole_us : 0;
    std::ranges::stable_sort(share.calls, std::greater{}, &NamedCost::us);
  }
  std::ranges::stable_sort(shares, std::greater{}, &TimeShare::us);
  return shares;
}

}  // namespace trilane
