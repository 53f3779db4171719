#include "common/explain/statistics/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

#include "common/explain/statistics/ratio.hpp"
#include "common/model/results/find.hpp"

namespace trilane {
namespace {

double valid(double us, double Sample::*clock) {
  const bool wall = clock == &Sample::wall_us;
  if (std::isfinite(us) && us >= 0 && (us > 0 || !wall)) return us;
  throw std::invalid_argument(fmt::format("a mean from a {}time of {}", wall ? "wall " : "", us));
}

ByProcess valid_times(std::span<const Sample> samples, double Sample::*clock) {
  ByProcess times;
  for (const Sample& sample : samples) {
    times[sample.process].push_back(valid(sample.*clock, clock));
  }
  return times;
}

std::vector<double> sorted(std::span<const double> values) {
  if (values.empty()) throw std::invalid_argument("there are no values to summarise");
  for (const double value : values) {
    if (!std::isfinite(value)) {
      throw std::invalid_argument(fmt::format("a value to summarise is {}", value));
    }
  }
  std::vector<double> result(values.begin(), values.end());
  std::ranges::sort(result);
  return result;
}

double sorted_quantile(std::span<const double> values, double q) {
  if (!(q >= 0 && q <= 1)) throw std::invalid_argument(fmt::format("quantile {}", q));
  const double position = q * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const auto above = std::min(below + 1, values.size() - 1);
  const double part = position - static_cast<double>(below);
  return values[below] + part * (values[above] - values[below]);
}

/// Returns what is wrong with the samples; empty if nothing is.
std::string flaw(std::span<const Sample> samples) {
  for (std::size_t i = 0; i < samples.size(); ++i) {
    for (const auto& [name, us] : {std::pair{"submit_us", samples[i].submit_us},
                                   {"device_us", samples[i].device_us},
                                   {"wall_us", samples[i].wall_us}}) {
      if (!(std::isfinite(us) && us >= 0)) {
        return fmt::format("not a valid time: {} of sample {} is {}", name, i, us);
      }
    }
    if (!(samples[i].wall_us > 0)) return fmt::format("the wall time of sample {} is 0", i);
  }
  return {};
}

std::vector<double> times_of(std::span<const Sample> samples, double Sample::*clock) {
  std::vector<double> times;
  for (const Sample& sample : samples) times.push_back(sample.*clock);
  return times;
}

void summarise(Measurement& m) {
  m.submit = m.device = m.wall = std::nullopt;
  m.ratio = std::nullopt;
  if (m.status != Status::ok || m.samples.empty()) return;
  m.message = flaw(m.samples);
  if (!m.message.empty()) {
    m.status = Status::failed;
    return;
  }
  const auto summary = [&](double Sample::*clock) {
    Summary found = summary_of(times_of(m.samples, clock));
    found.mean = pass_us(m.samples, clock);
    return found;
  };
  m.submit = summary(&Sample::submit_us);
  m.device = summary(&Sample::device_us);
  m.wall = summary(&Sample::wall_us);
}

}  // namespace

std::vector<TurnValue> turn_means(std::span<const Sample> samples, double Sample::*clock) {
  std::map<std::uint32_t, double> longest;  // of the uninterrupted passes of a process
  for (const auto& [process, us] : valid_times(samples, clock)) {
    longest[process] = interrupted_from * median(us);
  }
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

ByProcess uninterrupted_us(std::span<const Sample> samples) {
  ByProcess times = valid_times(samples, &Sample::wall_us);
  for (auto& [process, us] : times) drop_interrupted(us);
  return times;
}

ByProcess by_process(std::span<const TurnValue> turns) {
  ByProcess values;
  for (const auto& [turn, value] : turns) values[turn.first].push_back(value);
  return values;
}

std::vector<double> means_of(const ByProcess& processes) {
  std::vector<double> means;
  for (const auto& [process, values] : processes) means.push_back(mean(values));
  return means;
}

double pass_us(std::span<const Sample> samples, double Sample::*clock) {
  if (samples.empty()) throw std::invalid_argument("a mean of no samples");
  return middle_mean(means_of(by_process(turn_means(samples, clock))));
}

double quantile(std::span<const double> values, double q) {
  return sorted_quantile(sorted(values), q);
}

double median(std::span<const double> values) { return quantile(values, 0.5); }

double mean(std::span<const double> values) {
  return std::reduce(values.begin(), values.end()) / static_cast<double>(values.size());
}

std::size_t left_out_at_each_end(std::size_t n) {
  constexpr std::size_t fewest = 6;  // 5 would leave three, whose spread says little
  return n < fewest ? 0 : n / 4;
}

double middle_mean(std::span<const double> values) {
  const std::vector<double> all = sorted(values);
  const std::size_t out = left_out_at_each_end(all.size());
  return mean(std::span(all).subspan(out, all.size() - 2 * out));
}

std::uint64_t median_bytes(std::vector<std::uint64_t> sizes) {
  if (sizes.empty()) throw std::invalid_argument("a median of no sizes");
  std::ranges::sort(sizes);
  return sizes[(sizes.size() - 1) / 2];
}

std::map<std::uint32_t, double> process_times(std::span<const Sample> samples) {
  std::map<std::uint32_t, double> times;
  for (const auto& [process, us] : by_process(turn_means(samples))) times[process] = mean(us);
  return times;
}

Summary summary_of(std::span<const double> values) {
  const auto v = sorted(values);
  return {.mean = mean(v),
          .median = sorted_quantile(v, 0.5),
          .q1 = sorted_quantile(v, 0.25),
          .q3 = sorted_quantile(v, 0.75),
          .p99 = sorted_quantile(v, 0.99),
          .min = v.front()};
}

void summarise(Comparison& comparison) {
  for (Measurement& m : comparison.measurements) summarise(m);
  const Measurement* reference = find_reference(comparison);
  if (!reference || !reference->wall) return;
  for (Measurement& m : comparison.measurements) {
    if (&m == reference || !m.wall) continue;
    m.ratio = wall_ratio(m, *reference);
  }
}

}  // namespace trilane
