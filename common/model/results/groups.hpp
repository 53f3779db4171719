// Comparisons that belong together.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "common/model/results/results.hpp"

namespace trilane {

using Group = std::vector<const Comparison*>;

/// The groups of two or more comparisons that are `alike`, in the order of their first members.
std::vector<Group> groups_of(std::span<const Comparison> comparisons,
                             bool (*alike)(const Comparison&, const Comparison&));

/// Whether they differ only in the setting: host memory, and how the host waits.
bool same_work(const Comparison& one, const Comparison& other);

/// What distinguishes the comparison from others of its group: "pinned", "yield", "pinned, yield".
std::string setting_of(const Comparison& comparison, const Group& group);

/// Whether all are of one preset.
bool one_name(std::span<const Comparison> all);

/// The workload's label with what else distinguishes it from others of the run: "launch, yield".
std::string label_among(const Comparison& comparison, std::span<const Comparison> all);

}  // namespace trilane
