#include "common/measure/context/near_gpu.hpp"

#include <fmt/format.h>
#include <linux/mempolicy.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <fstream>

#include "common/base/text/choice.hpp"

namespace trilane {
namespace {

namespace fs = std::filesystem;

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

/// Prefers the node's memory for whatever this thread and its children allocate from now on.
void prefer_node(int node) {
  constexpr int bits = 64;
  if (node < 0 || node >= bits) return;
  const unsigned long mask = 1ul << node;
  syscall(SYS_set_mempolicy, MPOL_PREFERRED, &mask, bits + 1);
}

template <typename Value>
std::optional<Value> read(const fs::path& file) {
  std::ifstream in(file);
  Value value;
  if (in >> value) return value;
  return std::nullopt;
}

}  // namespace

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
