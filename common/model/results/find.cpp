#include "common/model/results/find.hpp"

namespace trilane {

const Measurement* find_variant(const Comparison& comparison, const std::string& variant) {
  const auto found = std::ranges::find(comparison.measurements, variant, &Measurement::variant);
  return found == comparison.measurements.end() ? nullptr : &*found;
}

const Measurement* find_reference(const Comparison& comparison) {
  return find_variant(comparison, comparison.reference);
}

bool any_with(Status status, const Comparison& comparison) {
  return std::ranges::count(comparison.measurements, status, &Measurement::status) > 0;
}

std::uint32_t rounds_in(std::span<const Sample> samples) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> rounds;
  for (const Sample& sample : samples) rounds.emplace(sample.process, sample.round);
  return static_cast<std::uint32_t>(rounds.size());
}

std::string value_of(const std::vector<Property>& properties, const std::string& name) {
  const auto found = std::ranges::find(properties, name, &Property::first);
  return found == properties.end() ? "" : found->second;
}

bool is_predicted(const Comparison& comparison) {
  return std::ranges::any_of(comparison.measurements,
                             [](const Measurement& m) { return m.prediction.has_value(); });
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

bool only_placed_apart(const Comparison& one, const Comparison& other) {
  return one.placement && other.placement && one.workload == other.workload &&
         one.wait == other.wait;
}

bool same_work(const Comparison& one, const Comparison& other) {
  if (one.placement != other.placement) return false;
  Workload workload = other.workload;
  workload.host_memory = one.workload.host_memory;
  return one.workload == workload;
}

std::string setting_of(const Comparison& comparison, const Group& group) {
  const auto differs = [&](auto part) {
    return std::ranges::any_of(
        group, [&](const Comparison* other) { return part(*other) != part(comparison); });
  };
  const std::string memory = name_of(comparison.workload.host_memory);
  if (!differs([](const Comparison& c) { return c.wait; })) return memory;
  const std::string wait = name_of(comparison.wait);
  const bool same_memory = !differs([](const Comparison& c) { return c.workload.host_memory; });
  return same_memory ? wait : memory + ", " + wait;
}

bool one_name(std::span<const Comparison> all) {
  return std::ranges::all_of(all, [&](const Comparison& comparison) {
    return comparison.workload.name == all.front().workload.name;
  });
}

std::string place_in_words(const Comparison& comparison) {
  if (!comparison.placement) return "";
  const auto& [device, gpu, pci_bus_id, beside, one_process] = *comparison.placement;
  const std::string place = ", GPU " + std::to_string(device);
  if (beside == 0) return place;
  return place + " of " + std::to_string(beside + 1) + (one_process ? " in one process" : "");
}

std::string label_among(const Comparison& comparison, std::span<const Comparison> all) {
  const bool waits_differ = std::ranges::any_of(all, [&](const Comparison& other) {
    return same_work(comparison, other) && other.wait != comparison.wait;
  });
  std::string label = comparison.workload.label();
  if (waits_differ) label += std::string(", ") + name_of(comparison.wait);
  return label + place_in_words(comparison);
}

}  // namespace trilane
