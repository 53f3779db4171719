// The simulated device's model of a workload and of a variant, and what it leaves out.
#include <fmt/format.h>

#include <cstdlib>

#include "common/device/flavour/flavour.hpp"
#include "common/device/simulator/machine/machine.hpp"

namespace trilane {

namespace {

/// Streams share hardware queues beyond this number (CUDA C++ Programming Guide,
/// CUDA_DEVICE_MAX_CONNECTIONS: 8 by default).
constexpr std::uint32_t hardware_queues = 8;

}  // namespace

const Profile* profile_in_use() { return &simulator::machine().settings.profile; }

std::string why_not_modelled(HostMemory memory, Wait wait) {
  switch (wait) {
    case Wait::spin: break;
    case Wait::yield:
    case Wait::block:
      return fmt::format(
          "--wait {}: the simulated device has only a host that spins while it "
          "waits; leave it out, or measure on a GPU",
          name_of(wait));
  }
  switch (memory) {
    case HostMemory::pinned:
    case HostMemory::pageable:
    case HostMemory::registered: break;
    case HostMemory::write_combined:
      return "--host-memory write-combined: the simulated device does not tell it from pinned "
             "memory; leave it out, or measure on a GPU";
  }
  return {};
}

std::vector<std::string> left_out(const Workload& workload) {
  std::vector<std::string> all;
  if (workload.used_lanes() > hardware_queues) {
    all.push_back(
        fmt::format("more than {} lanes share the hardware queues of a GPU.", hardware_queues));
  }
  if (std::getenv("CUDA_DEVICE_MAX_CONNECTIONS") != nullptr) {
    all.emplace_back("the number of hardware queues, which CUDA_DEVICE_MAX_CONNECTIONS sets.");
  }
  return all;
}

/// Returns true except for two models. Calls of several host threads are serialised, see
/// machine/call.hpp. Kernels that may start early run in order, so their gain is left out.
bool is_modelled(const Model& model) {
  switch (model.chaining) {
    case Chaining::lanes_early: return false;
    case Chaining::one_stream:
    case Chaining::lanes:
    case Chaining::engines:
    case Chaining::recorded:
    case Chaining::recorded_one_wait:
    case Chaining::data_edges: break;
  }
  switch (model.issuer) {
    case Issuer::host_threads: return false;
    case Issuer::host_waiting:
    case Issuer::host:
    case Issuer::graph:
    case Issuer::graph_updated:
    case Issuer::graph_set: return true;
  }
  return true;
}

}  // namespace trilane
