// Finds entries in the records, and comparisons that form a group.
#pragma once

#include "common/model/results/results.hpp"

namespace trilane {

/// Returns the measurement of `variant`, or nullptr.
const Measurement* find_variant(const Comparison& comparison, const std::string& variant);

/// Returns the reference's measurement, or nullptr.
const Measurement* find_reference(const Comparison& comparison);

/// Returns true if the times come from the simulated device, so that ranges are the model's error.
bool is_predicted(const Comparison& comparison);

/// Returns true if the measurement is ok and has samples.
inline bool was_timed(const Measurement& m) { return m.status == Status::ok && !m.samples.empty(); }

/// Returns true if a measurement of the comparison has that status.
bool any_with(Status status, const Comparison& comparison);

/// Returns the number of distinct rounds of these samples, over all processes.
std::uint32_t rounds_in(std::span<const Sample> samples);

/// Returns the value of the property called `name`, or empty.
std::string value_of(const std::vector<Property>& properties, const std::string& name);

using Group = std::vector<const Comparison*>;

/// Returns the groups of two or more comparisons that are `alike`, in order.
std::vector<Group> groups_of(std::span<const Comparison> comparisons,
                             bool (*alike)(const Comparison&, const Comparison&));

/// Returns true if they differ only in the setting: host memory, and how the host waits.
bool same_work(const Comparison& one, const Comparison& other);

/// Returns true if they differ only in their placement, which both have.
bool only_placed_apart(const Comparison& one, const Comparison& other);

/// Returns the settings that distinguish the comparison within its group: "pinned, yield".
std::string setting_of(const Comparison& comparison, const Group& group);

/// Returns true if all have the same preset.
bool one_name(std::span<const Comparison> all);

/// Returns ", GPU 0", ", GPU 0 of 2" or ", GPU 0 of 2 in one process" for a comparison with a
/// placement; otherwise nothing.
std::string place_in_words(const Comparison& comparison);

/// Returns the workload's label with what distinguishes it: "launch, yield", "launch, GPU 0 of 2".
std::string label_among(const Comparison& comparison, std::span<const Comparison> all);

}  // namespace trilane
