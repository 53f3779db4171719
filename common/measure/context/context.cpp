#include "common/measure/context/context.hpp"

#include <fmt/chrono.h>
#include <unistd.h>

#include <ctime>

#include "common/measure/context/host.hpp"
#include "common/measure/context/nvml.hpp"
#include "common/model/results/find.hpp"
#include "revision.hpp"

namespace trilane {
namespace {

constexpr char pci_bus_id[] = "pci_bus_id";  // to find the device again at the end

std::string utc_now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

std::string cuda_version(int version) {
  return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

std::vector<Property> describe_gpu(const Device& device, bool simulated) {
  return {
      {"name", device.name + (simulated ? " (simulated)" : "")},
      {"ordinal", fmt::to_string(device.ordinal)},
      {pci_bus_id, device.pci_bus_id},
      {"cuda_driver_version", cuda_version(device.driver_version)},
      {"cuda_runtime_version", cuda_version(device.runtime_version)},
      {"compute_capability", fmt::format("{}.{}", device.compute_major, device.compute_minor)},
      {"multiprocessors", fmt::to_string(device.multiprocessors)},
      {"memory_pools", device.memory_pools ? "yes" : "no"},
      {"memory_bytes", fmt::to_string(device.total_bytes)},
      {"memory_free_bytes", fmt::to_string(device.free_bytes)},
  };
}

void add_new(std::vector<std::string>& list, const std::vector<std::string>& more) {
  for (const std::string& item : more) {
    if (!includes(list, item)) list.push_back(item);
  }
}

/// Reads the GPU. Stores varying properties in `state` and returns the constant ones.
std::vector<Property> look_at_gpu(Context& context, const std::string& pci,
                                  std::vector<Property>& state) {
  NvmlReading reading = read_nvml(pci);
  state = reading.state;
  add_new(context.other_processes, reading.other_processes);
  add_new(context.notes, reading.notes);
  return reading.identity;
}

}  // namespace

std::vector<std::string> others_before(int ordinal, const std::string& simulated) {
  if (!simulated.empty()) return {};
  const std::string pci = pci_bus_id_of(ordinal);
  return pci.empty() ? std::vector<std::string>{} : signs_of_others(pci);
}

Context program_context() {
  Context context;
  context.tool_version = trilane_version;
  context.git_revision = trilane_revision;
  context.build_type = trilane_build_type;
  return context;
}

Context start_context(const Device& device, const std::string& command_line,
                      const std::string& simulated, const std::vector<std::string>& others) {
  Context context = program_context();
  context.simulated = simulated;
  context.command_line = without_home(command_line);
  context.started = utc_now();
  context.host = describe_host();
  context.environment = describe_environment();
  context.gpu = describe_gpu(device, !simulated.empty());
  if (!simulated.empty()) {
    context.notes.push_back("simulated: there was no GPU to read the state of");
    return context;
  }
  context.other_processes = others;
  const auto identity = look_at_gpu(context, device.pci_bus_id, context.gpu_before);
  context.gpu.insert(context.gpu.end(), identity.begin(), identity.end());
  return context;
}

void name_node(Context& context) {
  char name[256] = {};
  gethostname(name, sizeof(name) - 1);
  context.host.emplace_back("node", name);
}

void finish_context(Context& context) {
  context.finished = utc_now();
  if (!context.simulated.empty()) return;
  const std::string pci = value_of(context.gpu, pci_bus_id);
  if (!pci.empty()) look_at_gpu(context, pci, context.gpu_after);
}

}  // namespace trilane
