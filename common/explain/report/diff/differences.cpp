#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include "common/explain/report/diff/diff_parts.hpp"
#include "common/model/results/find.hpp"

namespace trilane {
namespace {

/// Properties that change every minute, or that say where the GPU is rather than what it is.
constexpr std::array<std::string_view, 7> left_out{"memory_free_bytes", "memory_available_bytes",
                                                   "load_average",      "temperature_c",
                                                   "power_w",           "ordinal",
                                                   "pci_bus_id"};

}  // namespace

std::vector<Difference> differences(const Context& before, const Context& now) {
  std::vector<Difference> found;
  const auto add = [&](const std::string& what, const std::string& was, const std::string& is) {
    const auto shown = [](const std::string& text) { return text.empty() ? "nothing" : text; };
    if (was != is) found.push_back({what, shown(was), shown(is)});
  };
  using Properties = std::vector<Property>;
  const auto add_all = [&](const std::string& of, const Properties& was, const Properties& is) {
    Properties either = was;  // names that only one side has count, too
    std::ranges::copy_if(is, std::back_inserter(either), [&](const Property& property) {
      return std::ranges::find(was, property.first, &Property::first) == was.end();
    });
    for (const auto& [name, _] : either) {
      if (std::ranges::find(left_out, name) != left_out.end()) continue;
      add(of + name, value_of(was, name), value_of(is, name));
    }
  };
  const auto joined = [](const std::vector<std::string>& names) {
    return fmt::format("{}", fmt::join(names, ", "));
  };
  add("profile", before.simulated, now.simulated);
  add_all("GPU ", before.gpu, now.gpu);
  add_all("GPU after the run, ", before.gpu_after, now.gpu_after);
  add_all("host ", before.host, now.host);
  add_all("environment ", before.environment, now.environment);
  add("other processes on the GPU", joined(before.other_processes), joined(now.other_processes));
  add("Trilane version", before.tool_version, now.tool_version);
  add("Trilane revision", before.git_revision, now.git_revision);
  add("build type", before.build_type, now.build_type);
  return found;
}

}  // namespace trilane
