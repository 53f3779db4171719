// Resumes a sweep from its file.
#pragma once

#include <optional>
#include <string>

#include "common/measure/sweep/map/regime_map.hpp"

namespace trilane {

/// Returns the map in the file at `path`; absent if there is no regular file. Throws UsageError,
/// with the place, if it is damaged or holds something else.
std::optional<RegimeMap> begun_map(const std::string& path);

/// Throws UsageError, with `path` and the first difference, unless both maps have the same command,
/// axes, variants, reference, mode, seed, revision, GPU, driver and profile.
void ensure_same(const RegimeMap& begun, const RegimeMap& asked, const std::string& path);

/// Throws UsageError, with `path` and the cell, unless every visited cell has the workload of the
/// request. Rounds may differ if they are found for a kernel time.
void ensure_cells_fit(const RegimeMap& begun, const SweepRequest& request, const std::string& path);

}  // namespace trilane
