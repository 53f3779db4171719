// Virtual time: the host's clock and the device's engines, simulated from a device profile.
#pragma once

#include <queue>

#include "common/device/simulator/timing/costs.hpp"

namespace trilane::simulator {

/// The host and the engines of each device: two copy engines, one for copies to other devices, and
/// the SMs. A copy engine does one copy at a time, in the order in which they become ready. A copy
/// that waited for another engine starts late (Profile::Engine::turn_us). Both engines are slower
/// when both are busy. Kernels run concurrently on the SMs. Each takes its share in the
/// order of their starts; later ones get the rest. Kernels on mapped host memory share one port for
/// both directions, and the link with the copies in their direction; all slow down equally when
/// either is overloaded. Between two events every speed is constant. If the profile has fewer
/// host_links than devices, devices that copy in the same direction at once share those equally.
///
/// Times are microseconds since the start. The devices are simulated only as far as the host needs
/// it; until then finished_us of an operation is negative.
class Timeline : boost::noncopyable {
 public:
  /// `copy_rates`: the speed of each device's link, relative to the profile.
  explicit Timeline(const Profile& profile, const std::vector<double>& copy_rates = {1});

  /// Returns the host's clock.
  double now() const { return host_us_; }
  /// Keeps a thread of the host busy for `us`.
  void spend(double us) { host_us_ += us * pace_; }
  /// States how many threads call at the same time, see Costs::pace().
  void let_threads_call(double threads) { pace_ = costs_.pace(threads); }

  /// Enqueues an operation whose `after` is complete: spends the host's time, and issues it.
  void enqueue(const OperationPtr& operation);

  /// Records that the function of a host_function operation has returned, which releases its
  /// successors. It ends at the host's current time, its real duration being unknown.
  void host_function_returned(Operation& operation);

  /// Makes the host wait until all of `targets`, which have run in the schedule, are finished.
  void wait_for(const Frontier& targets) { host_us_ = std::max(host_us_, seen_us(targets)); }

  /// Returns when the host, waiting, notices that all of `targets` are finished.
  double seen_us(const Frontier& targets) {
    return time_of(targets, -longest_operation_us) + costs_.return_us();
  }

  /// Returns the time of an event recorded at `issued_us` after `targets`: when all of them are
  /// finished, but not before `issued_us`.
  double time_of(const Frontier& targets, double issued_us);

 private:
  struct Running {
    OperationPtr operation;
    Loads loads;         // that are left, the present one last
    double left_us = 0;  // of the present one at full speed
    double speed = 1;    // of full speed
    const Load& load() const { return loads.back(); }
  };
  struct CopyEngine {
    std::deque<OperationPtr> ready{};        // but the engine is busy
    std::vector<Running> running{};          // at most one
    double busy_us = -longest_operation_us;  // until when it ran one
  };
  struct Engines {
    double copy_rate;                    // of its link
    double next_kernel_us = 0;           // the earliest start of a kernel
    std::deque<OperationPtr> kernels{};  // ready, but too early
    CopyEngine in{}, out{}, peer{};
    std::vector<Running> sms{};
    double asked_in = 0, asked_out = 0;  // of the link, 1 is all of it
    void ask(const Costs& costs);
    void set_speeds(const Costs& costs, double host_in, double host_out);
    void share_sms();
    std::array<CopyEngine*, 3> copies() { return {&in, &out, &peer}; }
    std::array<std::vector<Running>*, 4> all() {
      return {&in.running, &out.running, &peer.running, &sms};
    }
  };
  struct Later {
    bool operator()(const OperationPtr& one, const OperationPtr& other) const;
  };

  void start_after(Operation& operation, const Operation& before) const;
  void run_until(const Frontier& targets);
  bool is_asked_by_others(const Operation& operation) const;
  void become_ready(const OperationPtr& operation);
  void dispatch();
  double next_start_us(const CopyEngine& engine) const;
  void start_copies(CopyEngine& engine);
  void start_kernels(Engines& device);
  void start(std::vector<Running>& engine, const OperationPtr& operation);
  void finish(const OperationPtr& operation);
  void set_speeds();
  double end_of(const Running& running) const;
  double next_event();
  void advance_to(double us);

  Costs costs_;
  std::vector<Engines> devices_;
  double host_us_ = 0, device_us_ = 0, pace_ = 1;
  std::unordered_map<std::uint64_t, OperationPtr> unfinished_;
  std::priority_queue<OperationPtr, std::vector<OperationPtr>, Later>
      ready_;  // at ready_us, maybe in the future
};

}  // namespace trilane::simulator
