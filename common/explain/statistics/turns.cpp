#include "common/explain/statistics/turns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <ranges>
#include <stdexcept>

#include "common/explain/statistics/statistics.hpp"

namespace trilane {
namespace {

double valid(double us, double Sample::*clock) {
  const bool wall = clock == &Sample::wall_us;
  if (std::isfinite(us) && us >= 0 && (us > 0 || !wall)) return us;
  throw std::invalid_argument(fmt::format("a mean from a {}time of {}", wall ? "wall " : "", us));
}

/// Returns the longest time of an uninterrupted pass, by process.
std::map<std::uint32_t, double> longest_of(std::span<const Sample> samples, double Sample::*clock) {
  std::map<std::uint32_t, std::vector<double>> times;
  for (const Sample& sample : samples) {
    times[sample.process].push_back(valid(sample.*clock, clock));
  }
  std::map<std::uint32_t, double> longest;
  for (const auto& [process, us] : times) longest[process] = interrupted_from * median(us);
  return longest;
}

}  // namespace

std::vector<TurnValue> turn_means(std::span<const Sample> samples, double Sample::*clock) {
  const auto longest = longest_of(samples, clock);
  std::map<Turn, std::pair<double, double>> sums;  // of times, and their number
  for (const Sample& sample : samples) {
    if (sample.*clock > longest.at(sample.process)) continue;
    auto& [sum, count] = sums[{sample.process, sample.round}];
    sum += sample.*clock;
    count += 1;
  }
  std::vector<TurnValue> means;
  for (const auto& [turn, of] : sums) means.push_back({turn, of.first / of.second});
  return means;
}

SharedTurns shared_turns(std::span<const Sample> variant, std::span<const Sample> reference) {
  const auto ours = turn_means(variant), theirs = turn_means(reference);
  SharedTurns shared;
  auto other = theirs.begin();
  for (const TurnValue& one : ours) {
    while (other != theirs.end() && other->turn < one.turn) ++other;
    if (other == theirs.end()) break;
    if (other->turn != one.turn) continue;
    shared.variant.push_back(one);
    shared.reference.push_back(*other);
  }
  return shared;
}

void drop_interrupted(std::vector<double>& times) {
  if (times.empty()) return;
  std::erase_if(times,
                [longest = interrupted_from * median(times)](double us) { return us > longest; });
}

std::vector<double> uninterrupted_us(std::span<const Sample> samples) {
  const auto longest = longest_of(samples, &Sample::wall_us);
  std::vector<double> times;
  for (const Sample& sample : samples) {
    if (sample.wall_us <= longest.at(sample.process)) times.push_back(sample.wall_us);
  }
  return times;
}

std::vector<std::vector<double>> by_process(std::span<const TurnValue> turns) {
  std::map<std::uint32_t, std::vector<double>> values;
  for (const auto& [turn, value] : turns) values[turn.first].push_back(value);
  const auto lists = std::views::values(values);
  return {lists.begin(), lists.end()};
}

std::vector<double> means_of(std::span<const std::vector<double>> processes) {
  std::vector<double> means;
  for (const std::vector<double>& values : processes) means.push_back(mean(values));
  return means;
}

double pass_us(std::span<const Sample> samples, double Sample::*clock) {
  if (samples.empty()) throw std::invalid_argument("a mean of no samples");
  return middle_mean(means_of(by_process(turn_means(samples, clock))));
}

}  // namespace trilane
