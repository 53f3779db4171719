// Virtual time: the host's clock and the device's engines, a discrete-event simulation from the
// costs in a device profile.
#pragma once

#include <boost/core/noncopyable.hpp>
#include <cstdint>
#include <deque>
#include <optional>
#include <queue>
#include <unordered_map>
#include <vector>

#include "common/device/profile/profile.hpp"
#include "common/device/simulator/operations/device_operation.hpp"

namespace trilane::simulator {

/// The part of the device that executes an operation.
enum class Engine {
  copy_in,
  copy_out,
  sms,       ///< kernels, memsets, copies within the device; concurrent
  none,      ///< allocations and releases; only ordered
  the_host,  ///< host functions, whose end the device does not know
};

/// Returns the engine of operations of that kind.
Engine engine_of(Kind kind);

/// The work of an operation for its engine.
struct Load {
  double us;               ///< alone on the device
  double share;            ///< of the SMs
  double in = 0, out = 0;  ///< of the link in each direction, for kernels on mapped memory
};

/// Returns the kind of the last stage up to the operation, ignoring allocations and releases.
std::optional<Kind> kind_seen_after(const Operation& operation);

/// The costs of operations, from the tables of the device profile.
class Costs {
 public:
  explicit Costs(const Profile& profile) : profile_(profile) {}

  /// Returns the host time to enqueue it on a stream, or as a node of a graph launch.
  double host_us(const Operation& operation) const;

  /// Returns the time from issue to start on an idle device.
  double start_us(const Operation& operation) const;

  /// Returns the time from the end of `before`, which ended after the issue, to the start.
  double latency_us(const Operation& before, const Operation& operation) const;

  /// Returns the interval at which the operation polls for the end of `before`, from its start on
  /// an idle device on, if streams poll. Absent if latency_us applies.
  std::optional<double> look_us(const Operation& before, const Operation& operation) const;
  /// Makes streams poll or not; see StreamsLook in common/device/flavour/flavour.hpp.
  void let_streams_look(bool look) { streams_look_ = look; }

  Load load(const Operation& operation) const;

  /// Returns the speed of one direction of the link while the other is busy; 1 is its speed alone.
  double duplex_speed(Engine copies) const;

  double kernel_spacing_us() const { return profile_.engine.kernel_spacing_us; }

 private:
  double batched_us(const Task& task) const;
  KernelTime kernel_time(const Task& task) const;
  KernelTime measured(const KernelSize& size) const;
  Load over_link(const Load& load, const Traffic& traffic) const;

  const Profile& profile_;
  bool streams_look_ = false;
  struct Known {
    KernelSize size;
    KernelTime time;
  };
  mutable std::vector<Known> known_;  // a run has few kernel sizes, each looked up often
};

/// The host and the device's engines: two copy engines and the SMs. A copy engine does one copy at
/// a time, in the order in which they become ready; both are slower when both are busy. Kernels run
/// concurrently on the SMs. Each takes its share in the order of their starts; later ones get the
/// rest. Kernels on mapped host memory share the link with the copies in their direction, and all
/// slow down equally when it is overloaded. Between two events every speed is constant.
///
/// Times are microseconds since the start. The device is simulated only as far as the host needs
/// it; until then finished_us of an operation is negative.
class Timeline : boost::noncopyable {
 public:
  explicit Timeline(const Profile& profile) : costs_(profile) {}

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
  void wait_for(const Frontier& targets) { host_us_ = time_of(targets, host_us_); }

  /// Returns the time of an event recorded at `issued_us` after `targets`: when all of them are
  /// finished, but not before `issued_us`.
  double time_of(const Frontier& targets, double issued_us);

 private:
  struct Running {
    OperationPtr operation;
    double left_us;  // of work at full speed
    Load load;
    double speed;  // of full speed
  };
  struct Later {
    bool operator()(const OperationPtr& one, const OperationPtr& other) const;
  };

  void start_after(Operation& operation, const Operation& before) const;
  void run_until(const Frontier& targets);
  bool is_asked_by_others(const Operation& operation) const;
  void become_ready(const OperationPtr& operation);
  void dispatch();
  void start_copies(std::deque<OperationPtr>& waiting, std::vector<Running>& engine);
  void start_kernels();
  void start(std::vector<Running>& engine, const OperationPtr& operation);
  void finish(const OperationPtr& operation);
  void set_speeds();
  void share_sms();
  double link_speed(Engine direction, double asked, double asked_back) const;
  double end_of(const Running& running) const;
  double next_event() const;
  void advance_to(double us);

  Costs costs_;
  double host_us_ = 0, device_us_ = 0, next_kernel_us_ = 0;
  std::unordered_map<std::uint64_t, OperationPtr> unfinished_;
  std::priority_queue<OperationPtr, std::vector<OperationPtr>, Later>
      ready_;                                                  // at ready_us, maybe in the future
  std::deque<OperationPtr> copies_in_, copies_out_, kernels_;  // ready, but their engine is busy
  std::vector<Running> in_, out_, sms_;
};

}  // namespace trilane::simulator
