#include "common/explain/statistics/modes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/base/text/size.hpp"
#include "common/base/text/words.hpp"
#include "common/explain/statistics/statistics.hpp"

namespace trilane {
namespace {

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

}  // namespace

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

}  // namespace trilane
