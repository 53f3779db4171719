#include "common/measure/context/host.hpp"

#include <linux/mempolicy.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "common/base/text/words.hpp"

namespace trilane {
namespace {

namespace fs = std::filesystem;

std::string first_line(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

/// Returns the first word of a file as a value; nullopt without a file or a value.
template <typename Value>
std::optional<Value> read(const fs::path& file) {
  std::ifstream in(file);
  Value value;
  if (in >> value) return value;
  return std::nullopt;
}

/// Returns the value after `separator` on the first line that begins with `key`, bare of quotes.
std::string value_of(std::string_view key, char separator, const fs::path& file) {
  constexpr char padding[] = " \t\"";
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    const auto end = line.find(separator);
    if (end == std::string::npos) continue;
    const std::string name = line.substr(0, line.find_last_not_of(padding, end - 1) + 1);
    const auto begin = line.find_first_not_of(padding, end + 1);
    if (name != key || begin == std::string::npos) continue;
    return line.substr(begin, line.find_last_not_of(padding) + 1 - begin);
  }
  return "";
}

std::string virtual_machine(const fs::path& cpuinfo) {
  const std::string flags = value_of("flags", ':', cpuinfo);  // only on x86
  if (flags.empty()) return "";
  return (flags + " ").find(" hypervisor ") != std::string::npos ? "yes" : "no";
}

std::string memory_bytes(const fs::path& meminfo) {
  const std::string kib = value_of("MemTotal", ':', meminfo);
  return kib.empty() ? "" : fmt::to_string(std::strtoull(kib.c_str(), nullptr, 10) * 1024);
}

std::string available_memory(const fs::path& root) {
  const std::uint64_t bytes = available_host_bytes(root);
  return bytes == std::numeric_limits<std::uint64_t>::max() ? "" : fmt::to_string(bytes);
}

std::string load_average(const fs::path& file) {  // over 1, 5 and 15 minutes, then processes
  std::ifstream in(file);
  std::string one, five, fifteen;
  in >> one >> five >> fifteen;
  return fifteen.empty() ? "" : fmt::format("{} {} {}", one, five, fifteen);
}

bool is_secret(std::string_view name) {
  const auto has = [&](std::string_view part) { return name.find(part) != std::string::npos; };
  return has("KEY") || has("TOKEN") || has("SECRET") || has("PASSWORD") || has("CREDENTIAL");
}

using Bytes = std::uint64_t;

struct Files {
  const char *limit, *usage, *reclaimable;
};
constexpr Files v2 = {"memory.max", "memory.current", "inactive_file"};
constexpr Files v1 = {"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"};

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
  const auto limit = read<Bytes>(folder / files.limit);  // absent if it is "max"
  if (!limit) return std::numeric_limits<Bytes>::max();
  const Bytes used = read<Bytes>(folder / files.usage).value_or(0);
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

/// Returns the cores of a list such as "0-31,64-95"; none for other texts.
cpu_set_t cores_in(const std::string& list) {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  for (const std::string& range : split(list, ',')) {
    unsigned first = 0, last = 0;
    const int read = std::sscanf(range.c_str(), "%u-%u", &first, &last);
    if (read < 1) continue;
    for (unsigned core = first; core <= (read == 2 ? last : first); ++core) {
      if (core < CPU_SETSIZE) CPU_SET(core, &cores);
    }
  }
  return cores;
}

void prefer_node(int node) {
  constexpr int bits = 64;
  if (node < 0 || node >= bits) return;
  const unsigned long mask = 1ul << node;
  syscall(SYS_set_mempolicy, MPOL_PREFERRED, &mask, bits + 1);
}

}  // namespace

std::vector<Property> describe_host(const fs::path& root) {
  const fs::path proc = root / "proc", cpus = root / "sys/devices/system/cpu";
  return {
      {"cpu", value_of("model name", ':', proc / "cpuinfo")},
      {"cpus_online", first_line(cpus / "online")},
      {"cpus_allowed", value_of("Cpus_allowed_list", ':', proc / "self/status")},
      {"cpu_governor", first_line(cpus / "cpu0/cpufreq/scaling_governor")},
      {"memory_bytes", memory_bytes(proc / "meminfo")},
      {"memory_available_bytes", available_memory(root)},
      {"kernel", first_line(proc / "sys/kernel/osrelease")},
      {"os", value_of("PRETTY_NAME", '=', root / "etc/os-release")},
      {"load_average", load_average(proc / "loadavg")},
      {"virtual_machine", virtual_machine(proc / "cpuinfo")},
  };
}

std::vector<Property> describe_environment() {
  std::vector<Property> found;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    if (!text.starts_with("CUDA_") && !text.starts_with("NVIDIA_")) continue;
    // Requirements of container images: long, and irrelevant to a run.
    if (text.starts_with("NVIDIA_REQUIRE_")) continue;
    const auto equals = std::min(text.find('='), text.size() - 1);
    const std::string name(text.substr(0, equals)), value(text.substr(equals + 1));
    found.emplace_back(name, is_secret(name) ? "(not recorded)" : without_home(value));
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::string without_home(const std::string& text) {
  const std::string home = environment_value("HOME");
  if (home.size() < 2) return text;  // unset, or "/"
  std::string result;
  std::size_t done = 0;
  for (auto at = text.find(home); at != std::string::npos; at = text.find(home, at + 1)) {
    const auto end = at + home.size();
    if (end < text.size() && std::string_view("/:;, '\"").find(text[end]) == std::string::npos) {
      continue;
    }
    result += text.substr(done, at - done) + "~";
    done = end;
  }
  return result + text.substr(done);
}

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

std::string stay_near(const std::string& pci_bus_id, const fs::path& root) {
  std::string name = pci_bus_id;
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
  const fs::path folder = root / "sys/bus/pci/devices" / name;
  const auto list = name.empty() ? std::nullopt : read<std::string>(folder / "local_cpulist");
  cpu_set_t allowed, near;
  if (!list || sched_getaffinity(0, sizeof allowed, &allowed) != 0) return "";
  const cpu_set_t local = cores_in(*list);
  CPU_AND(&near, &allowed, &local);
  if (CPU_COUNT(&near) == 0 || CPU_EQUAL(&near, &allowed)) return "";
  if (sched_setaffinity(0, sizeof near, &near) != 0) return "";
  const int node = read<int>(folder / "numa_node").value_or(-1);
  prefer_node(node);
  return node < 0 ? *list : fmt::format("{}, node {}", *list, node);
}

}  // namespace trilane
