#include "common/measure/context/host_memory.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <string>

namespace trilane {
namespace {

namespace fs = std::filesystem;
using Bytes = std::uint64_t;

/// The files that hold the memory figures of one version of control groups.
struct Files {
  const char *limit, *usage, *reclaimable;
};
constexpr Files v2 = {"memory.max", "memory.current", "inactive_file"};
constexpr Files v1 = {"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"};

/// Returns the first word of a file as a number; nullopt for "max" or a missing file.
std::optional<Bytes> number_in(const fs::path& file) {
  std::ifstream in(file);
  Bytes value = 0;
  if (in >> value) return value;
  return std::nullopt;
}

/// Returns the number after `key` at the beginning of a line.
std::optional<Bytes> number_after(const std::string& key, const fs::path& file) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string name;
    Bytes value = 0;
    if (words >> name >> value && name == key) return value;
  }
  return std::nullopt;
}

Bytes left_in_group(const fs::path& folder, const Files& files) {
  const auto limit = number_in(folder / files.limit);
  if (!limit) return std::numeric_limits<Bytes>::max();
  const Bytes used = number_in(folder / files.usage).value_or(0);
  const Bytes cache = number_after(files.reclaimable, folder / "memory.stat").value_or(0);
  const Bytes held = used - std::min(used, cache);
  return *limit - std::min(*limit, held);
}

/// Returns the least of a group and all its parents, up to the mount. Groups that are not visible
/// below the mount, as in a container, are skipped.
Bytes left_up_from(const fs::path& mount, fs::path group, const Files& files) {
  Bytes least = left_in_group(mount, files);
  for (; group.has_relative_path(); group = group.parent_path()) {
    least = std::min(least, left_in_group(mount / group.relative_path(), files));
  }
  return least;
}

}  // namespace

Bytes available_host_bytes(const fs::path& root) {
  Bytes least = std::numeric_limits<Bytes>::max();
  if (const auto kib = number_after("MemAvailable:", root / "proc/meminfo")) least = *kib * 1024;

  std::ifstream groups(root / "proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {  // "4:memory:/a/b", or "0::/a/b" in v2
    const auto first = line.find(':');
    const auto second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const fs::path group = line.substr(second + 1);
    if (controllers.empty()) {
      least = std::min(least, left_up_from(root / "sys/fs/cgroup", group, v2));
    } else if (("," + controllers + ",").find(",memory,") != std::string::npos) {
      least = std::min(least, left_up_from(root / "sys/fs/cgroup/memory", group, v1));
    }
  }
  return least;
}

}  // namespace trilane
