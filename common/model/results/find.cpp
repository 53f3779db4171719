#include "common/model/results/find.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace trilane {

const Measurement* find_variant(const Comparison& comparison, const std::string& variant) {
  const auto found = std::ranges::find(comparison.measurements, variant, &Measurement::variant);
  return found == comparison.measurements.end() ? nullptr : &*found;
}

const Measurement* find_reference(const Comparison& comparison) {
  return find_variant(comparison, comparison.reference);
}

std::uint32_t rounds_in(std::span<const Sample> samples) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> rounds;
  for (const Sample& sample : samples) rounds.emplace(sample.process, sample.round);
  return static_cast<std::uint32_t>(rounds.size());
}

std::uint32_t rounds_of(const Measurement& m) { return rounds_in(m.samples); }

std::string value_of(const std::vector<Property>& properties, const std::string& name) {
  const auto found = std::ranges::find(properties, name, &Property::first);
  return found == properties.end() ? "" : found->second;
}

bool is_predicted(const Comparison& comparison) {
  return std::ranges::any_of(comparison.measurements,
                             [](const Measurement& m) { return m.prediction.has_value(); });
}

}  // namespace trilane
