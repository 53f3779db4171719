#include "common/explain/fleet/history.hpp"
#include "common/explain/statistics/statistics.hpp"

namespace trilane {
namespace {

using Values = std::vector<double>;

/// Standard deviations beyond which a value is an outlier.
constexpr double outlier_from = 3;

/// Returns the standard deviation of neighbours' differences, over the square root of 2. Steps
/// count little.
double noise_of(std::span<const double> values) {
  Values differences, sizes;
  for (std::size_t i = 1; i < values.size(); ++i) {
    differences.push_back(values[i] - values[i - 1]);
    sizes.push_back(std::abs(differences.back()));
  }
  const double reach = outlier_from * 1.4826 * median(sizes);
  double squares = 0;
  for (const double difference : differences)
    squares += std::pow(std::min(std::abs(difference), reach), 2);
  return std::sqrt(squares / static_cast<double>(2 * differences.size()));
}

Values without_outliers(std::span<const double> values) {
  constexpr std::size_t window = 5;
  const double reach = outlier_from * noise_of(values);
  Values kept;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t first = std::min(i < 2 ? 0 : i - 2, values.size() - window);
    const double centre = median(values.subspan(first, window));
    kept.push_back(std::clamp(values[i], centre - reach, centre + reach));
  }
  return kept;
}

struct Part {
  std::size_t first = 0, last = 0;  ///< half-open
  double strength = 0;              ///< of its difference to the rest, in errors
};

/// Sums of a series for the means of its parts.
class Sums {
 public:
  explicit Sums(std::span<const double> values) : sums_{0} {
    for (const double value : values) sums_.push_back(sums_.back() + value);
  }
  double mean(std::size_t first, std::size_t last) const {
    return (sums_[last] - sums_[first]) / static_cast<double>(last - first);
  }

  /// Returns the part of [first, last) that differs most from the rest of it.
  Part oddest(std::size_t first, std::size_t last, double noise) const {
    Part found;
    const double all = sums_[last] - sums_[first], n = static_cast<double>(last - first);
    for (std::size_t i = first; i < last; ++i) {
      for (std::size_t k = i + 2; k <= last; ++k) {
        const double inside = static_cast<double>(k - i), outside = n - inside;
        if (outside < 2) continue;
        const double sum = sums_[k] - sums_[i];
        const double away = std::abs(sum / inside - (all - sum) / outside);
        const double strength = away / (noise * std::sqrt(1 / inside + 1 / outside));
        if (strength > found.strength) found = {i, k, strength};
      }
    }
    return found;
  }

 private:
  Values sums_;
};

/// Adds the borders of parts of [first, last) that differ from the rest of it.
void find_borders(const Sums& sums, std::size_t first, std::size_t last, double noise,
                  double critical, std::set<std::size_t>& borders) {
  if (last - first < 4) return;
  const Part part = sums.oddest(first, last, noise);
  if (!(part.strength > critical)) return;
  borders.insert({part.first, part.last});
  for (const auto& [from, to] :
       {std::pair{first, part.first}, {part.first, part.last}, {part.last, last}}) {
    if (to - from < last - first) find_borders(sums, from, to, noise, critical, borders);
  }
}

/// Returns the standard deviation around the parts' means, as that of independent values.
double residual_noise(std::span<const double> values, const Sums& sums,
                      const std::set<std::size_t>& borders) {
  double squares = 0, products = 0, before = 0;
  for (auto border = borders.begin(); std::next(border) != borders.end(); ++border) {
    const double level = sums.mean(*border, *std::next(border));
    for (std::size_t i = *border; i < *std::next(border); ++i) {
      const double residual = values[i] - level;
      squares += residual * residual;
      products += residual * before;
      before = residual;
    }
  }
  if (!(squares > 0)) return 0;
  const double correlation = std::clamp(products / squares, 0.0, 0.8);
  const double freedom = static_cast<double>(values.size() - borders.size() + 1);
  return std::sqrt(squares / freedom * (1 + correlation) / (1 - correlation));
}

/// The step at a border between two parts.
LevelStep step_at(std::span<const double> values, const Sums& sums, std::size_t first,
                  std::size_t border, std::size_t last, double noise, double alarms) {
  const double old = sums.mean(first, border), now = sums.mean(border, last);
  const double left = static_cast<double>(border - first),
               right = static_cast<double>(last - border);
  LevelStep step{border, border, border, now - old,
                 std::abs(now - old) / (noise * std::sqrt(1 / left + 1 / right))};
  const double most = -2 * std::log(alarms) * noise * noise;  // by the ratio of likelihoods
  const auto moves = [&](std::size_t i) {  // what the fit loses if that value changes sides
    return std::pow(values[i] - (i < border ? now : old), 2) -
           std::pow(values[i] - (i < border ? old : now), 2);
  };
  double lost = 0;
  for (std::size_t i = border; i-- > first + 1 && (lost += moves(i)) < most;) step.earliest = i;
  lost = 0;
  for (std::size_t i = border; i + 1 < last && (lost += moves(i)) < most; ++i) step.latest = i + 1;
  return step;
}

std::vector<LevelStep> steps_at(std::span<const double> values, const Sums& sums,
                                const std::set<std::size_t>& borders, double noise, double alarms) {
  std::vector<LevelStep> steps;
  for (auto border = std::next(borders.begin()); std::next(border) != borders.end(); ++border) {
    steps.push_back(
        step_at(values, sums, *std::prev(border), *border, *std::next(border), noise, alarms));
  }
  return steps;
}

}  // namespace

std::vector<LevelStep> steps_of(std::span<const double> values, double alarms, double least) {
  constexpr std::size_t fewest = 6;
  if (values.size() < fewest) return {};
  const Values kept = without_outliers(values);
  const auto n = static_cast<double>(values.size());
  const double smallest = 1e-9;  // so that series without noise have steps, too
  const double noise = std::max(noise_of(kept), smallest);
  const double critical = -quantile_of({0, 1, n / 2}, alarms / (n * n));  // n^2/2 parts, two sides
  const Sums sums(kept);
  std::set<std::size_t> borders{0, kept.size()};
  find_borders(sums, 0, kept.size(), noise, critical, borders);
  while (borders.size() > 2) {
    const double all = std::max(noise, residual_noise(kept, sums, borders));
    const std::vector<LevelStep> steps = steps_at(kept, sums, borders, all, alarms);
    const auto weakest = std::ranges::min_element(steps, {}, [&](const LevelStep& step) {
      return std::abs(step.by) > std::log1p(least) ? step.strength : 0;
    });
    if (std::abs(weakest->by) > std::log1p(least) && weakest->strength > critical) return steps;
    borders.erase(weakest->since);
  }
  return {};
}

}  // namespace trilane
