// Comparisons that form a group.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "common/model/results/results.hpp"

namespace trilane {

using Group = std::vector<const Comparison*>;

/// Returns the groups of two or more comparisons that are `alike`, in the order of their first
/// members.
std::vector<Group> groups_of(std::span<const Comparison> comparisons,
                             bool (*alike)(const Comparison&, const Comparison&));

/// Returns true if they differ only in the setting: host memory, and how the host waits.
bool same_work(const Comparison& one, const Comparison& other);

/// Returns the settings that distinguish the comparison within its group: "pinned", "yield",
/// "pinned, yield".
std::string setting_of(const Comparison& comparison, const Group& group);

/// Returns true if all have the same preset.
bool one_name(std::span<const Comparison> all);

/// Returns the workload's label with the settings that distinguish it within the run: "launch,
/// yield".
std::string label_among(const Comparison& comparison, std::span<const Comparison> all);

}  // namespace trilane
