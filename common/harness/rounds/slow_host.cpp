#include "common/harness/rounds/slow_host.hpp"

#include <algorithm>
#include <iterator>

#include "common/analysis/statistics/slow_rounds.hpp"
#include "common/analysis/statistics/statistics.hpp"

namespace trilane {

namespace {

void sort_out(Measurement& m, const std::vector<bool>& aside) {
  std::vector<Sample> all;
  all.reserve(m.samples.size() + m.set_aside.size());
  std::ranges::merge(m.samples, m.set_aside, std::back_inserter(all), {}, &Sample::round,
                     &Sample::round);
  m.samples.clear();
  m.set_aside.clear();
  for (const Sample& sample : all)
    (aside[sample.round] ? m.set_aside : m.samples).push_back(sample);
}

}  // namespace

bool SlowHost::end_round(Comparison& comparison) {
  rounds_us_.push_back(turns_us_.empty() ? 0 : mean(turns_us_));
  turns_us_.clear();
  const std::size_t rounds = rounds_us_.size();
  if (rounds < next_look_) return false;
  next_look_ = rounds + std::max<std::size_t>(1, rounds / 100);
  return look(comparison);
}

bool SlowHost::look(Comparison& comparison) {
  std::vector<bool> aside = slow_rounds(rounds_us_);
  const auto left = static_cast<std::size_t>(std::ranges::count(aside, false));
  if (left < fewest_left_ || 3 * left < aside.size()) aside.assign(aside.size(), false);
  aside_.resize(aside.size(), false);  // where the samples of the latest rounds are
  if (aside == aside_) return false;
  aside_ = std::move(aside);
  for (Measurement& m : comparison.measurements) sort_out(m, aside_);
  return true;
}

}  // namespace trilane
