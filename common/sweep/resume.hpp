// Going on with a map that was begun before.
#pragma once

#include <optional>
#include <string>

#include "common/sweep/map/regime_map.hpp"

namespace trilane {

/// The map in the file of that path; nothing where there is no file, or something else in it.
std::optional<RegimeMap> begun_map(const std::string& path);

/// Throws UsageError, naming `path` and the first difference, unless both maps are about the same:
/// command, variants, revision, GPU, driver and profile.
void ensure_same(const RegimeMap& begun, const RegimeMap& asked, const std::string& path);

}  // namespace trilane
