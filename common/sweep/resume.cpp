#include "common/sweep/resume.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "common/results/find.hpp"
#include "common/sweep/map/sweep_io.hpp"
#include "common/text/exit_code.hpp"
#include "common/text/quoting.hpp"

namespace trilane {
namespace {

/// What must be the same in both maps.
std::vector<Property> identity(const RegimeMap& map) {
  std::vector<Property> all{{"the options", map.command},
                            {"the variants", fmt::format("{}", fmt::join(map.variants, ","))},
                            {"the profile", map.context.simulated},
                            {"revision", map.context.git_revision},
                            {"build type", map.context.build_type}};
  for (const char* name : {"name", "uuid", "driver_version", "cuda_driver_version"}) {
    all.emplace_back(fmt::format("the GPU's {}", name), value_of(map.context.gpu, name));
  }
  return all;
}

}  // namespace

std::optional<RegimeMap> begun_map(const std::string& path) {
  if (path.empty() || path == "-" || !std::filesystem::is_regular_file(path)) return std::nullopt;
  std::ostringstream text;
  if (!(text << std::ifstream(path, std::ios::binary).rdbuf())) return std::nullopt;
  try {
    return map_from_json(text.str());
  } catch (const std::invalid_argument&) {
    return std::nullopt;  // not a map: refused later, unless --force is given
  }
}

void ensure_same(const RegimeMap& begun, const RegimeMap& asked, const std::string& path) {
  const std::vector<Property> old = identity(begun), now = identity(asked);
  const auto [was, is] = std::ranges::mismatch(old, now);
  if (was == old.end()) return;
  throw UsageError(
      fmt::format("--json {}: the sweep in it was started with {} {}, not {}; repeat the original "
                  "command, give "
                  "another name, or start over with --force",
                  in_quotes(path), was->first, in_quotes(was->second), in_quotes(is->second)));
}

}  // namespace trilane
