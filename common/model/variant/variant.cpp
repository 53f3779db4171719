#include "common/model/variant/variant.hpp"

#include <algorithm>
#include <stdexcept>

namespace trilane {

std::vector<VariantEntry>& registry() {
  static std::vector<VariantEntry> entries;
  return entries;
}

const VariantEntry& find_variant(const std::string& name) {
  const auto found = std::ranges::find(registry(), name, &VariantEntry::name);
  if (found == registry().end()) throw std::out_of_range("no variant is called " + name);
  return *found;
}

std::vector<std::string> names_of(const std::vector<VariantEntry>& entries) {
  std::vector<std::string> names;
  for (const VariantEntry& entry : entries) names.push_back(entry.name);
  return names;
}

std::vector<std::string> names_of_tier(Tier tier) {
  std::vector<std::string> names;
  for (const VariantEntry& entry : registry()) {
    // The mover does not depend on the workload.
    if (tier_of(entry.plan(presets().front()).model) == tier) names.push_back(entry.name);
  }
  return names;
}

}  // namespace trilane
