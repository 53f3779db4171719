#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>
#include <utility>

#include "common/results/statistics.hpp"

namespace trilane {
namespace {

constexpr int resamples = 2000;

struct RoundMedian {
  std::uint32_t round;
  double wall_us;
};

std::vector<RoundMedian> round_medians(std::span<const Sample> samples) {
  std::vector<std::pair<std::uint32_t, double>> walls;
  walls.reserve(samples.size());
  for (const Sample& sample : samples) {
    if (!(std::isfinite(sample.wall_us) && sample.wall_us > 0)) {
      throw std::invalid_argument(fmt::format("a ratio from a wall time of {}", sample.wall_us));
    }
    walls.emplace_back(sample.round, sample.wall_us);
  }
  std::ranges::sort(walls);
  std::vector<RoundMedian> medians;
  for (std::size_t first = 0, last = 0; first < walls.size(); first = last) {
    while (last < walls.size() && walls[last].first == walls[first].first) ++last;
    const std::size_t low = first + (last - first - 1) / 2, high = first + (last - first) / 2;
    medians.push_back({walls[first].first, (walls[low].second + walls[high].second) / 2});
  }
  return medians;
}

/// Draws indices below `count` two at a time. The standard library's distributions differ between
/// implementations; a seed has to give the same interval everywhere. Scaling 32 bits favours some
/// index by count / 2^32 at most.
class IndexDraw {
 public:
  IndexDraw(std::uint64_t seed, std::size_t count) : engine_(seed), count_(count) {}

  template <typename Use>
  void draw(std::size_t times, Use use) {
    for (std::size_t left = times; left > 0; --left) {
      const std::uint64_t bits = engine_();
      use(((bits >> 32) * count_) >> 32);
      if (--left == 0) break;
      use(((bits & 0xffffffff) * count_) >> 32);
    }
  }

 private:
  std::mt19937_64 engine_;
  std::uint64_t count_;
};

/// Medians of resamples of `values`, which are sorted. A resample is kept as how often it holds
/// each of them: its median is then found by counting, without sorting it.
std::vector<double> resampled_medians(std::span<const double> values, std::uint64_t seed) {
  const std::size_t n = values.size();
  IndexDraw indices(seed, n);
  std::vector<std::uint32_t> times(n);
  std::vector<double> medians;
  medians.reserve(resamples);
  for (int resample = 0; resample < resamples; ++resample) {
    std::ranges::fill(times, 0);
    indices.draw(n, [&](std::uint64_t index) { ++times[index]; });
    std::size_t index = 0, passed = times[0];
    while (passed <= (n - 1) / 2) passed += times[++index];
    const double low = values[index];
    while (passed <= n / 2) passed += times[++index];
    medians.push_back((low + values[index]) / 2);
  }
  return medians;
}

}  // namespace

std::vector<double> round_ratios(std::span<const Sample> variant,
                                 std::span<const Sample> reference) {
  const auto over = round_medians(variant), under = round_medians(reference);
  std::vector<double> ratios;
  auto below = under.begin();
  for (const RoundMedian& above : over) {
    while (below != under.end() && below->round < above.round) ++below;
    if (below == under.end()) break;
    if (below->round == above.round) ratios.push_back(above.wall_us / below->wall_us);
  }
  return ratios;
}

Ratio ratio_of(std::span<const double> round_ratios, std::uint64_t seed) {
  if (round_ratios.empty()) throw std::invalid_argument("a ratio of variants that share no round");
  const double estimate = quantile(round_ratios, 0.5);
  if (round_ratios.size() < fewest_rounds) return {estimate, 0, 2 * std::max(1.0, estimate)};
  std::vector<double> sorted(round_ratios.begin(), round_ratios.end());
  std::ranges::sort(sorted);
  const auto medians = resampled_medians(sorted, seed);
  return {estimate, quantile(medians, 0.025), quantile(medians, 0.975)};
}

Ratio paired_ratio(std::span<const Sample> variant, std::span<const Sample> reference,
                   std::uint64_t seed) {
  return ratio_of(round_ratios(variant, reference), seed);
}

double half_width(const Ratio& ratio) {
  const double width = std::max(ratio.high / ratio.estimate - 1, 1 - ratio.low / ratio.estimate);
  const bool usable = ratio.estimate > 0 && std::isfinite(ratio.high) && std::isfinite(ratio.low);
  return usable && width >= 0 ? width : std::numeric_limits<double>::infinity();
}

}  // namespace trilane
