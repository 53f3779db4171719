#include "common/explain/statistics/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

#include "common/explain/statistics/turns.hpp"
#include "common/explain/statistics/wall_ratio.hpp"
#include "common/model/results/find.hpp"

namespace trilane {
namespace {

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
  std::map<std::uint32_t, std::vector<double>> turns;
  for (const auto& [turn, us] : turn_means(samples)) turns[turn.first].push_back(us);
  std::map<std::uint32_t, double> times;
  for (const auto& [process, us] : turns) times[process] = mean(us);
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
