#include "common/explain/analysis/verdict/break_even.hpp"

#include "common/explain/statistics/interval.hpp"
#include "common/model/results/find.hpp"
#include "common/model/workload/random.hpp"

namespace trilane {
namespace {

using Indices = std::vector<std::size_t>;

/// From this many passes after each set-up on, they show the time of a steady pass. It differs
/// between set-ups, with the memory and streams allocated, and the rounds have only one set-up.
constexpr std::size_t enough_passes = 16;

/// Returns the mean without the lowest and the highest tenth. Reorders the values.
double trimmed_mean(std::vector<double>& values) {
  const auto cut = static_cast<std::ptrdiff_t>(values.size() / 10);
  const auto first = values.begin() + cut, last = values.end() - cut;
  if (cut > 0) {
    std::nth_element(values.begin(), first, values.end());
    std::nth_element(first, last, values.end());
  }
  return std::accumulate(first, last, 0.0) / static_cast<double>(last - first);
}

/// Returns by number of passes the trimmed mean of the variant's chosen courses minus the
/// reference's. A median would be unstable: set-ups have two speeds (1.2 or 1.6 ms for a graph on
/// an H200), and the median of fifteen is sometimes one, sometimes the other.
std::vector<double> lead_of(std::span<const Course> variant, std::span<const Course> reference,
                            const Indices& chosen) {
  std::vector<double> lead, ours(chosen.size()), theirs(chosen.size());
  for (std::size_t k = 0; k < variant[0].size(); ++k) {
    std::ranges::transform(chosen, ours.begin(), [&](std::size_t i) { return variant[i][k]; });
    std::ranges::transform(chosen, theirs.begin(), [&](std::size_t i) { return reference[i][k]; });
    lead.push_back(trimmed_mean(ours) - trimmed_mean(theirs));
  }
  return lead;
}

std::vector<Course> courses_of(const Price& price, std::size_t set_ups, std::size_t passes) {
  std::vector<Course> courses;
  for (std::size_t i = 0; i < set_ups; ++i) {
    Course course{price.setup_us[i]};
    for (std::size_t k = 0; k < passes; ++k) {
      course.push_back(course.back() + price.passes_us[k][i]);
    }
    courses.push_back(std::move(course));
  }
  return courses;
}

/// Returns the gain per pass of each pair of courses, over their second half.
std::vector<double> later_gains(std::span<const Course> variant,
                                std::span<const Course> reference) {
  std::vector<double> gains;
  for (std::size_t i = 0; i < variant.size(); ++i) {
    const std::size_t passes = variant[i].size() - 1, half = passes / 2;
    const double ours = variant[i].back() - variant[i][half];
    const double theirs = reference[i].back() - reference[i][half];
    gains.push_back((theirs - ours) / static_cast<double>(passes - half));
  }
  return gains;
}

constexpr std::size_t resamples = 1000;

Indices all_of(std::size_t count) {
  Indices indices(count);
  std::iota(indices.begin(), indices.end(), 0);
  return indices;
}

void draw(Indices& indices, Random& random) {
  for (std::size_t& index : indices) index = random.below(indices.size());
}

Pays pays(std::span<const double> lead, double gain_us) {
  const double behind = passes_behind(lead, gain_us);
  if (behind == 0) return Pays::at_once;
  if (behind < never) return Pays::later;
  return lead.back() < 0 ? Pays::at_first : Pays::never;
}

/// Returns for how many passes the variant is behind or, for `at_first`, ahead.
double passes_of(Pays kind, std::vector<double> lead, double gain_us) {
  if (kind != Pays::at_first) return passes_behind(lead, gain_us);
  std::ranges::transform(lead, lead.begin(), std::negate());
  return passes_behind(lead, -gain_us);
}

std::optional<double> finite(double passes) {
  return std::isfinite(passes) ? std::optional(passes) : std::nullopt;
}

/// Sets the 2.5% and 97.5% quantiles of `count` resamples, as order statistics, because of `never`.
template <typename Interval, typename Resample>
void put_interval(Interval& interval, std::size_t count, Resample resample) {
  std::vector<double> found(count);
  std::ranges::generate(found, resample);
  std::ranges::sort(found);
  const auto tail = found.size() / 40;
  interval.low = finite(found[tail]);
  interval.high = finite(found[found.size() - 1 - tail]);
}

/// The gain of a pass when both are steady, and how to draw another one.
struct SteadyGain {
  double us = 0;
  std::function<double(Random&)> drawn;
};

/// Returns the gain of at least one pass, whose values are resampled.
SteadyGain gain_of_passes(std::vector<double> values) {
  const double us = trimmed_mean(values);
  return {us, [values = std::move(values)](Random& random) {
            std::vector<double> again(values.size());
            for (double& value : again) value = values[random.below(values.size())];
            return trimmed_mean(again);
          }};
}

std::optional<SteadyGain> gain_over_rounds(const Measurement& variant,
                                           const Measurement& reference) {
  const SharedTurns shared = shared_turns(variant.samples, reference.samples);
  if (shared.variant.empty()) return {};
  const auto ours = by_process(shared.variant), theirs = by_process(shared.reference);
  if (ours.size() > 1) {
    const LogMean gain =
        difference(middle_mean_of_draws(means_of(theirs)), middle_mean_of_draws(means_of(ours)));
    return SteadyGain{gain.mean, [another = as_of_another_run(gain)](Random& random) {
                        return quantile_of(another, random.share());
                      }};
  }
  std::vector<double> gains;
  std::ranges::transform(theirs.begin()->second, ours.begin()->second, std::back_inserter(gains),
                         std::minus());
  return gain_of_passes(std::move(gains));
}

/// Returns true if the ratio of the predicted times shows a gain: one pass alone does not.
bool can_break_even(const Measurement& variant, const Measurement& reference) {
  if (!variant.price || !reference.price || !variant.ratio || !decides(*variant.ratio))
    return false;
  return !variant.prediction || !variant.ratio->tie();
}

/// Sets the range of a predicted break-even; down to 0 and without end if its error is unknown.
void put_error(BreakEven& result, const std::optional<double>& factor) {
  result.covers = Covers::model_error;
  if (!result.passes) return;
  result.low = factor ? *result.passes / *factor : 0;
  if (factor) result.high = *result.passes * *factor;
}

std::optional<BreakEven> break_even_of(const Measurement& variant, const Measurement& reference,
                                       std::uint64_t seed) {
  if (!can_break_even(variant, reference)) return {};
  const std::size_t set_ups =
      std::min(variant.price->setup_us.size(), reference.price->setup_us.size());
  const std::size_t passes =
      std::min(variant.price->passes_us.size(), reference.price->passes_us.size());
  if (set_ups < (variant.prediction ? 1 : 2)) return {};
  const auto ours = courses_of(*variant.price, set_ups, passes);
  const auto theirs = courses_of(*reference.price, set_ups, passes);
  const auto gain = passes < enough_passes ? gain_over_rounds(variant, reference)
                                           : gain_of_passes(later_gains(ours, theirs));
  if (!gain) return {};
  Random random(seed);
  Indices chosen = all_of(set_ups);
  const std::vector<double> lead = lead_of(ours, theirs, chosen);
  BreakEven result{.pays = pays(lead, gain->us)};
  result.passes = finite(passes_of(result.pays, lead, gain->us));
  if (variant.prediction) {
    put_error(result, variant.prediction->break_even_error);
    return result;
  }
  if (variant.ratio->covers == Covers::processes) result.covers = Covers::processes;
  put_interval(result, resamples, [&] {
    draw(chosen, random);
    const double drawn = gain->drawn(random);
    return passes_of(result.pays, lead_of(ours, theirs, chosen), drawn);
  });
  return result;
}

}  // namespace

double passes_behind(std::span<const double> lead, double gain_us) {
  double passes = 0;
  for (std::size_t k = 1; k < lead.size(); ++k) {
    const double from = lead[k - 1], to = lead[k];
    if (from > 0 && to > 0) {
      passes += 1;
    } else if (from > 0 || to > 0) {
      passes += std::max(from, to) / std::abs(from - to);
    }
  }
  if (lead.back() > 0) return gain_us > 0 ? passes + lead.back() / gain_us : never;
  return gain_us < 0 ? never : passes;
}

void find_break_even(Comparison& comparison) {
  const Measurement* reference = find_reference(comparison);
  for (Measurement& m : comparison.measurements) {
    const std::optional<BreakEven> before = std::exchange(m.break_even, std::nullopt);
    if (!reference || !reference->wall || !m.wall || &m == reference) continue;
    m.break_even = break_even_of(m, *reference, comparison.seed);
    if (m.break_even && before) m.break_even->crossing = before->crossing;
  }
}

Crossing crossing_of(std::span<const Course> variant, std::span<const Course> reference, Pays kind,
                     std::uint64_t seed) {
  Crossing crossing{.sequences = static_cast<std::uint32_t>(variant.size()),
                    .run = static_cast<std::uint32_t>(variant[0].size() - 1)};
  Random random(seed);
  Indices chosen = all_of(variant.size());
  // Without a gain per pass, a course that has not crossed by its end never does.
  const auto passes = [&] { return passes_of(kind, lead_of(variant, reference, chosen), 0); };
  crossing.passes = finite(passes());
  put_interval(crossing, resamples / 5, [&] {
    draw(chosen, random);
    return passes();
  });
  return crossing;
}

}  // namespace trilane
