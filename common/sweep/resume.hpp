// Resumes a sweep from its file.
#pragma once

#include <optional>
#include <string>

#include "common/sweep/map/regime_map.hpp"

namespace trilane {

/// The map in the file at `path`; absent if there is no file or it holds no map.
std::optional<RegimeMap> begun_map(const std::string& path);

/// Throws UsageError, with `path` and the first difference, unless both maps have the same command,
/// variants, revision, GPU, driver and profile.
void ensure_same(const RegimeMap& begun, const RegimeMap& asked, const std::string& path);

}  // namespace trilane
