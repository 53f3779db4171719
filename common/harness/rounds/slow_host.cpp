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
  std::vector<bool> aside = slow_rounds(rounds_us_);
  if (std::ranges::count(aside, false) < fewest_left_) aside.assign(aside.size(), false);
  aside_.push_back(false);  // where the samples of this round are
  if (aside == aside_) return false;
  aside_ = std::move(aside);
  for (Measurement& m : comparison.measurements) sort_out(m, aside_);
  return true;
}

}  // namespace trilane
