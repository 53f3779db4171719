#include "common/explain/statistics/series.hpp"

#include "common/base/text/size.hpp"
#include "common/base/text/words.hpp"
#include "common/explain/statistics/statistics.hpp"

namespace trilane {
namespace {

constexpr std::size_t fewest_of_drift = 18;
constexpr double least_drift = 0.03, drift_tail = 0.05;

bool is_below(std::span<const double> low, std::span<const double> middle,
              std::span<const double> high) {
  const double between = median(middle);
  return quantile(low, 1 - drift_tail) < quantile(high, drift_tail) && median(low) <= between &&
         between <= median(high);
}

constexpr double least_share = 0.1, least_distance = 0.1, least_spreads = 3, mode_tail = 0.05;
constexpr std::size_t least_values = 5, fewest_of_modes = 20;

double spread_of(std::span<const double> sorted) {
  constexpr double quartiles_of_normal = 1.349;
  return (quantile(sorted, 0.75) - quantile(sorted, 0.25)) / quartiles_of_normal;
}

/// Returns where the sorted values split, so that at least `least` are on either side; 0: nowhere.
std::size_t cut_of(std::span<const double> sorted, std::size_t least, double least_apart) {
  if (sorted.size() < 2 * least) return 0;
  // One place further out on either side: a wider gap there splits off too few.
  std::size_t cut = least - 1;
  for (std::size_t i = least - 1; i <= sorted.size() - least + 1; ++i) {
    if (sorted[i] - sorted[i - 1] > sorted[cut] - sorted[cut - 1]) cut = i;
  }
  if (cut < least || cut + least > sorted.size()) return 0;
  const auto low = sorted.first(cut), high = sorted.subspan(cut);
  const double between = quantile(high, mode_tail) - quantile(low, 1 - mode_tail);
  const double spread = std::max(spread_of(low), spread_of(high));
  const bool apart = median(high) - median(low) >= least_apart;
  return apart && between > 0 && between >= least_spreads * spread ? cut : 0;
}

struct Rule {
  std::size_t least;   ///< values of a mode
  double least_apart;  ///< between the medians of two modes
  double all;          ///< number of all values
};

void add_modes(std::span<const double> sorted, const Rule& rule, std::vector<TimeMode>& modes) {
  const std::size_t cut = cut_of(sorted, rule.least, rule.least_apart);
  if (cut == 0) {
    modes.push_back({mean(sorted), static_cast<double>(sorted.size()) / rule.all});
    return;
  }
  add_modes(sorted.first(cut), rule, modes);
  add_modes(sorted.subspan(cut), rule, modes);
}

std::vector<double> smoothed(std::span<const double> values) {
  constexpr std::size_t reach = 2;
  std::vector<double> smooth;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t first = i < reach ? 0 : i - reach;
    const std::size_t last = std::min(values.size(), i + reach + 1);
    smooth.push_back(median(values.subspan(first, last - first)));
  }
  return smooth;
}

}  // namespace

std::optional<Drift> drift_of(std::span<const double> values) {
  if (values.size() < fewest_of_drift) return std::nullopt;
  const std::size_t third = values.size() / 3;
  const auto first = values.first(third), last = values.last(third),
             middle = values.subspan(third, values.size() - 2 * third);
  const Drift drift{mean(first), mean(last)};
  const bool far = std::abs(drift.to - drift.from) >= least_drift * std::min(drift.from, drift.to);
  const bool one_way = is_below(first, middle, last) || is_below(last, middle, first);
  return far && one_way ? std::optional(drift) : std::nullopt;
}

std::string in_words(const Drift& drift) {
  return fmt::format("from {} to {} us", format_us(drift.from), format_us(drift.to));
}

std::vector<TimeMode> modes_of(std::span<const double> values) {
  const double middle = median(values);
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  const auto all = static_cast<double>(sorted.size());
  const auto tenth = static_cast<std::size_t>(std::ceil(least_share * all));
  if (values.size() < fewest_of_modes) return {{mean(values), 1}};
  std::vector<TimeMode> modes;
  add_modes(sorted, {std::max(least_values, tenth), least_distance * std::abs(middle), all}, modes);
  return modes;
}

std::string in_words(std::span<const TimeMode> modes, const std::string& what) {
  std::string times, shares;
  for (std::size_t i = 0; i < modes.size(); ++i) {
    const bool last = i + 1 == modes.size();
    const char* const before_time = i == 0 ? "" : last ? " or " : ", ";
    const char* const before_share = i == 0 ? "" : last ? " and " : ", ";
    times += before_time + format_us(modes[i].mean) + " us";
    shares += before_share + percent(modes[i].share, 0);
  }
  return modes.size() < 2 ? times : fmt::format("{}, in {} of the {}", times, shares, what);
}

std::vector<bool> slow_rounds(std::span<const double> host_us) {
  std::vector<bool> slow(host_us.size());
  if (host_us.empty()) return slow;
  const std::vector<double> smooth = smoothed(host_us);
  std::vector<double> sorted = smooth;
  const auto tenth = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 10);
  std::ranges::nth_element(sorted, tenth);
  const double most_us = *tenth * (1 + slowed_by);
  std::transform(smooth.begin(), smooth.end(), slow.begin(),
                 [&](double us) { return us > most_us; });
  return slow;
}

}  // namespace trilane
