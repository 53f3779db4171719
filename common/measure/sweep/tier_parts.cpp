#include "common/measure/sweep/tier_parts.hpp"

namespace trilane {

std::map<Tier, std::vector<std::size_t>> tiers_in(const Comparison& comparison) {
  std::map<Tier, std::vector<std::size_t>> places;
  for (std::size_t i = 0; i < comparison.measurements.size(); ++i) {
    places[tier_of(comparison.measurements[i].plan.model)].push_back(i);
  }
  return places;
}

Comparison part_of(const Comparison& comparison, const std::vector<std::size_t>& places) {
  Comparison part;
  part.reference = comparison.reference;
  part.rounds = comparison.rounds;
  for (const std::size_t place : places) {
    part.measurements.push_back(comparison.measurements[place]);
  }
  return part;
}

}  // namespace trilane
