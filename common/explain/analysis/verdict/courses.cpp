#include "common/explain/analysis/verdict/courses.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "common/explain/statistics/statistics.hpp"

namespace trilane {

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

double trimmed_mean(std::vector<double>& values) {
  const auto cut = static_cast<std::ptrdiff_t>(values.size() / 10);
  const auto first = values.begin() + cut, last = values.end() - cut;
  if (cut > 0) {
    std::nth_element(values.begin(), first, values.end());
    std::nth_element(first, last, values.end());
  }
  return std::accumulate(first, last, 0.0) / static_cast<double>(last - first);
}

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

}  // namespace trilane
