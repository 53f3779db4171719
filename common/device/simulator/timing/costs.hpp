// What operations cost in virtual time, by the device profile: the one place that reads its tables.
#pragma once

#include <optional>
#include <vector>

#include "common/device/profile/profile.hpp"
#include "common/device/simulator/operations/device_operation.hpp"

namespace trilane::simulator {

/// Which part of the device does an operation.
enum class Engine {
  copy_in,
  copy_out,
  sms,       ///< kernels, memsets, copies within the device: side by side
  none,      ///< allocations and releases: an order only
  the_host,  ///< host functions: the device does not know when they end
};

struct Load {
  Engine engine;
  double us;               ///< alone on the device
  double share;            ///< of the SMs
  double in = 0, out = 0;  ///< of the link to the host, either way, where kernels go over it
};

/// The kind of stage that the device sees before whatever comes after the operation: allocations
/// and releases pass on what came before them.
std::optional<Kind> kind_seen_after(const Operation& operation);

class Costs {
 public:
  explicit Costs(const Profile& profile) : profile_(profile) {}

  /// Host time to enqueue it: in a stream, or as a node in the launch of its graph.
  double host_us(const Operation& operation) const;

  /// From the host's handing it over to its start, where there is nothing to wait for.
  double start_us(const Operation& operation) const;

  /// From the end of `before`, which it comes after, to its start, where it has waited for that:
  /// what ended before the host handed the operation over delays nothing.
  double latency_us(const Operation& before, const Operation& operation) const;

  Load load(const Operation& operation) const;

  /// What a direction of the link gives while the other is all busy: 1 is what it gives alone.
  double duplex_speed(Engine copies) const;

  double kernel_spacing_us() const { return profile_.engine.kernel_spacing_us; }

 private:
  Profile::KernelTime kernel_time(const Task& task) const;
  Profile::KernelTime measured(const KernelSize& size) const;
  Load over_link(const Load& load, const Traffic& traffic) const;

  const Profile& profile_;
  struct Known {
    KernelSize size;
    Profile::KernelTime time;
  };
  mutable std::vector<Known> known_;  // a run has few kernel sizes, and each is looked up often
};

}  // namespace trilane::simulator
