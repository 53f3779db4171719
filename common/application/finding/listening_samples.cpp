#include "common/application/finding/listening_samples.hpp"

#include <algorithm>

#include "common/explain/statistics/statistics.hpp"

namespace trilane {
namespace {

constexpr std::size_t fewest_calls = 40;

}  // namespace

std::optional<ListeningCosts> ListeningSamples::costs(double untraced_us) const {
  if (stamps_.size() < fewest_calls) return std::nullopt;
  std::vector<double> between_us, within_us;
  for (std::size_t i = stamps_.size() / 4; i < stamps_.size(); ++i) {
    between_us.push_back(stamps_[i].begin_us - stamps_[i - 1].left_us);
    within_us.push_back(stamps_[i].end_us - stamps_[i].begin_us);
  }
  return ListeningCosts{.between_us = std::max(0.0, median(between_us)),
                        .within_us = std::max(0.0, median(within_us) - untraced_us)};
}

}  // namespace trilane
