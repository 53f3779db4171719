#include "common/results/find.hpp"

#include <algorithm>

namespace trilane {

const Measurement* find_variant(const Comparison& comparison, const std::string& variant) {
  const auto found = std::ranges::find(comparison.measurements, variant, &Measurement::variant);
  return found == comparison.measurements.end() ? nullptr : &*found;
}

const Measurement* find_reference(const Comparison& comparison) {
  return find_variant(comparison, comparison.reference);
}

std::vector<Group> groups_of(std::span<const Comparison> comparisons,
                             bool (*alike)(const Comparison&, const Comparison&)) {
  std::vector<Group> all;
  for (const Comparison& comparison : comparisons) {
    const auto found = std::ranges::find_if(
        all, [&](const Group& group) { return alike(*group.front(), comparison); });
    (found == all.end() ? all.emplace_back() : *found).push_back(&comparison);
  }
  std::erase_if(all, [](const Group& group) { return group.size() < 2; });
  return all;
}

std::string value_of(const std::vector<Property>& properties, const std::string& name) {
  const auto found = std::ranges::find(properties, name, &Property::first);
  return found == properties.end() ? "" : found->second;
}

}  // namespace trilane
