#include "common/commands/runs/runs.hpp"

#include "common/commands/runs/unread.hpp"
#include "common/commands/runs/worker.hpp"
#include "common/device/flavour/flavour.hpp"

namespace trilane {

int measure_as_asked(const RunOptions& options, const std::string& command_line) {
  if (const auto place = worker_place()) {
    return serve_variant(options, *place,
                         [&](std::uint32_t number) { return options.workloads.at(number); });
  }
  const bool several = options.processes.count > 1 || options.processes.settings.size() > 1;
  return several ? measure_in_processes(options, command_line) : measure(options, command_line);
}

void check_read(const Given& given, RunOptions& options) {
  ensure_read(given, options.comparison);
  options.warnings = unread_knobs(given, options.comparison);
}

void start_device(const DeviceOptions& device, std::uint64_t seed) {
  start_simulation({device.profile, device.fault, seed});
}

}  // namespace trilane
