#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "common/diff/diff_parts.hpp"
#include "common/results/find.hpp"

namespace trilane {
namespace {

/// Properties that change every minute, or that say where a GPU is and not what it is.
constexpr std::array<std::string_view, 7> left_out{"memory_free_bytes", "memory_available_bytes",
                                                   "load_average",      "temperature_c",
                                                   "power_w",           "ordinal",
                                                   "pci_bus_id"};

class Collector {
 public:
  void add(const std::string& what, const std::string& before, const std::string& now) {
    if (before == now) return;
    const auto shown = [](const std::string& text) { return text.empty() ? "nothing" : text; };
    found_.push_back({what, shown(before), shown(now)});
  }

  /// Also adds properties that only one side has.
  void add(const std::string& of, const std::vector<Property>& before,
           const std::vector<Property>& now) {
    std::vector<std::string> keys;
    for (const auto* properties : {&before, &now}) {
      for (const auto& [key, _] : *properties) {
        const bool seen = std::ranges::find(keys, key) != keys.end();
        const bool moves = std::ranges::find(left_out, key) != left_out.end();
        if (!seen && !moves) keys.push_back(key);
      }
    }
    for (const std::string& key : keys) {
      add(of + key, value_of(before, key), value_of(now, key));
    }
  }

  std::vector<Difference> found() && { return std::move(found_); }

 private:
  std::vector<Difference> found_;
};

}  // namespace

std::vector<Difference> differences(const Context& before, const Context& now) {
  Collector all;
  all.add("profile", before.simulated, now.simulated);
  all.add("GPU ", before.gpu, now.gpu);
  all.add("GPU after the run, ", before.gpu_after, now.gpu_after);
  all.add("host ", before.host, now.host);
  all.add("environment ", before.environment, now.environment);
  all.add("other processes on the GPU", fmt::format("{}", fmt::join(before.other_processes, ", ")),
          fmt::format("{}", fmt::join(now.other_processes, ", ")));
  all.add("Trilane version", before.tool_version, now.tool_version);
  all.add("Trilane revision", before.git_revision, now.git_revision);
  all.add("build type", before.build_type, now.build_type);
  return std::move(all).found();
}

}  // namespace trilane
