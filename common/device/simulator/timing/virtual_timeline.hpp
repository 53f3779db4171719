// Virtual time: the host's clock and the device's engines, from a device profile.
#pragma once

#include <boost/core/noncopyable.hpp>

#include "common/device/profile/profile.hpp"
#include "common/device/simulator/operations/device_operation.hpp"
#include "common/device/simulator/timing/costs.hpp"
#include "common/device/simulator/timing/engines.hpp"

namespace trilane::simulator {

/// Times are microseconds since the start. The device is simulated only as far as the host needs
/// it; until then finished_us of an operation is negative.
class Timeline : boost::noncopyable {
 public:
  explicit Timeline(const Profile& profile) : costs_(profile), engines_(costs_) {}

  /// Returns the host's clock.
  double now() const { return host_us_; }
  /// Keeps the host busy for `us`.
  void spend(double us) { host_us_ += us; }

  /// Makes operations on streams poll for others or not, see Costs.
  void let_streams_look(bool look) { costs_.let_streams_look(look); }

  /// Enqueues an operation whose `after` is complete: spends the host's time for it and issues it
  /// to the device.
  void enqueue(const OperationPtr& operation);

  /// Records that the function of a host_function operation has returned, which releases its
  /// successors. It ends at the host's current time: its real duration is unknown, and Trilane uses
  /// host functions only to hold a stream back.
  void host_function_returned(Operation& operation);

  /// Makes the host wait until all of `targets` are finished. All of them must have run in the
  /// schedule.
  void wait_for(const Frontier& targets);

  /// Returns the time of an event recorded at `issued_us` after `targets`: when all of them are
  /// finished, but not before `issued_us`.
  double time_of(const Frontier& targets, double issued_us);

 private:
  Costs costs_;
  Engines engines_;
  double host_us_ = 0;
};

}  // namespace trilane::simulator
