// Virtual time: the host's clock, and the device's engines behind it, by a device profile.
#pragma once

#include "common/device/profile/profile.hpp"
#include "common/device/simulator/operations/device_operation.hpp"
#include "common/device/simulator/timing/costs.hpp"
#include "common/device/simulator/timing/engines.hpp"

namespace trilane::simulator {

/// Times are microseconds since the start. The device is worked out only as far as the host has to
/// know: an operation's finished_us is negative until then.
class Timeline {
 public:
  explicit Timeline(const Profile& profile) : costs_(profile), engines_(costs_) {}
  Timeline(const Timeline&) = delete;
  Timeline& operator=(const Timeline&) = delete;

  /// The host's clock.
  double now() const { return host_us_; }
  /// The host is busy for so long.
  void spend(double us) { host_us_ += us; }

  /// The host enqueues an operation whose `after` is complete: spends what that takes (in a stream,
  /// or as a node of a graph launch) and hands it to the device.
  void enqueue(const OperationPtr& operation);

  /// The function of a host_function operation has returned; until then nothing comes after it.
  /// It ends at the host's present time: when it would have ended otherwise cannot be known, and
  /// Trilane uses host functions only to hold a stream back.
  void host_function_returned(Operation& operation);

  /// The host waits until all of it is finished; all of it has run in the schedule.
  void wait_for(const Frontier& targets);
  /// The same for everything that it enqueued.
  void wait_for_all();

  /// When all of it is finished, but not before `issued_us`: the time of an event recorded then.
  double time_of(const Frontier& targets, double issued_us);

 private:
  Costs costs_;
  Engines engines_;
  double host_us_ = 0;
};

}  // namespace trilane::simulator
