#include "common/measure/rounds/renewals.hpp"

namespace trilane {

void Renewals::renew(std::span<const std::size_t> order, std::set<std::size_t>& live) {
  const double start = bench_.now();
  for (std::size_t variant : order) {
    roster_.attempt(variant, [&](std::size_t index) {
      live.erase(index);
      bench_.tear_down(index);
    });
  }
  for (std::size_t variant : order) {
    roster_.attempt(variant, [&](std::size_t index) {
      bench_.set_up(index);
      live.insert(index);
      bench_.pass(index);
    });
  }
  latest_us_ = bench_.now() - start;
  all_us_ += latest_us_;
}

}  // namespace trilane
