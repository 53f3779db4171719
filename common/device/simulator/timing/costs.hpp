// The costs of operations in virtual time, from the tables of the device profile.
#pragma once

#include <boost/container/static_vector.hpp>

#include "common/device/profile/profile.hpp"
#include "common/device/simulator/operations/device_operation.hpp"

namespace trilane::simulator {

/// The part of the device that executes an operation.
enum class Engine {
  copy_in,
  copy_out,
  peer,  ///< copies to another device
  sms,   ///< kernels, memsets, copies within the device; concurrent
  none,  ///< allocations and releases, which are only ordered, and host functions
};

/// Returns the engine that executes a task, of its device.
Engine engine_of(const Task& task);

/// The work of an operation for its engine, or one part of it.
struct Load {
  double us;               ///< alone on the device
  double share;            ///< of the SMs
  double in = 0, out = 0;  ///< of the link in each direction, for kernels on mapped memory

  /// Returns what it asks of the kernels' port.
  double port() const { return in + out; }
  /// Returns the number of kernels as which it counts on the port, see Costs::port().
  double kernels() const { return port() > 0 ? (in > 0 && out > 0 ? many_kernels : 1) : 0; }
  static constexpr double many_kernels = 1e9;
};

/// The parts of an operation, the last one first.
using Loads = boost::container::static_vector<Load, 3>;

class Costs {
 public:
  explicit Costs(const Profile& profile);

  /// Returns as which kind of stage an operation orders and is ordered: a large memset and a small
  /// copy in with which a launch begins as a kernel. Absent if it is no stage.
  std::optional<Kind> kind_seen(const Operation& operation) const;

  /// Returns the host time to enqueue it on a stream, or as a node of a graph launch.
  double host_us(const Operation& operation) const;

  /// Returns the time from issue to start on an idle device.
  double start_us(const Operation& operation) const;

  /// Returns the time from the end of an operation to the host's notice: the shortest of the
  /// profile's start_us, which contain both, and of which a copy in needs hardly any to start.
  double return_us() const { return return_us_; }

  /// Returns the time from the end of `before`, which ended after the issue, to the start.
  double latency_us(const Operation& before, const Operation& operation) const;

  /// Returns the interval at which the operation polls for the end of `before`, from its start on
  /// an idle device on, if streams poll. Absent if latency_us applies.
  std::optional<double> look_us(const Operation& before, const Operation& operation) const;

  /// Returns how much of the link all kernels get together; 1 is one direction. Each of `kernels`
  /// reads and writes in turn, like a customer of two servers: n of them use n / (n + 1) of what
  /// both directions give (Gordon and Newell, Closed Queuing Systems with Exponential Servers,
  /// 1967).
  double port(double kernels) const {
    return std::max(1.0, 2 * kernels / (kernels + 1) * mapped_both() / profile_.engine.in_gbps);
  }

  /// Returns the parts of the operation.
  Loads loads(const Operation& operation) const;

  /// Returns the speed of one direction of the link while the other is busy; 1 is its speed alone.
  double duplex_speed(Engine copies) const;

  /// Returns the speed of each link while devices together ask `asked` links of the host.
  double host_speed(double asked) const {
    const std::optional<double>& links = profile_.engine.host_links;
    return links && asked > *links ? *links / asked : 1;
  }

  /// Returns the time from the end of a copy to the start of `next` on its engine.
  double turn_us(const Operation& next) const {
    return next.timing.waits_for_engine ? profile_.engine.turn_us.value_or(0) : 0;
  }

  /// Returns the part of a call's time by which one of `threads` that call at the same time moves
  /// their clock on.
  double pace(double threads) const {
    return (1 + (threads - 1) * profile_.stream.thread_share.value_or(1)) / threads;
  }

  double kernel_spacing_us() const { return profile_.engine.kernel_spacing_us; }

 private:
  double within_gbps(const Task& task) const;
  double batched_us(const Task& task) const;
  double mapped_both() const;
  KernelTime kernel_time(const Task& task) const;
  KernelTime measured(const KernelSize& size) const;
  Loads over_link(const Load& load, const Task& task) const;

  Kind kind_of(const Task& task) const;
  bool is_carried(const Operation& operation) const;

  const Profile& profile_;
  double return_us_;
  std::uint64_t carried_bytes_, kernel_bytes_;
  struct Known {
    KernelSize size;
    KernelTime time;
  };
  mutable std::vector<Known> known_;  // a run has few kernel sizes, each looked up often
};

}  // namespace trilane::simulator
