// The device's engines at work: a discrete-event simulation in virtual time.
#pragma once

#include <cstdint>
#include <deque>
#include <queue>
#include <unordered_map>
#include <vector>

#include "common/device/simulator/operations/device_operation.hpp"
#include "common/device/simulator/timing/costs.hpp"

namespace trilane::simulator {

/// Two copy engines, which do one copy after the other in the order in which they become ready and
/// slow each other down when both are busy; and the SMs, on which kernels run side by side: first
/// come, first served, each takes its share, and the last ones what is left, as the blocks of a
/// later kernel wait for those of an earlier one. Kernels on mapped host memory share the link with
/// the copies in their direction: where more is asked of it than it gives, all of them slow down
/// alike. Between two events every speed is constant.
class Engines {
 public:
  explicit Engines(const Costs& costs) : costs_(costs) {}

  /// Takes over an operation that the host has handed over at operation.issued_us, `after`
  /// complete.
  void add(const OperationPtr& operation);

  /// A host function has returned at `us`.
  void host_function_returned(Operation& operation, double us);

  /// Works until all of `targets` are finished.
  void run_until(const Frontier& targets);

  /// All that is not finished.
  Frontier unfinished() const;

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

  void wait_for(Operation& operation, const Operation& before) const;
  void become_ready(const OperationPtr& operation);
  void dispatch();
  void start_copies(Engine engine);
  void start_kernels();
  void start(std::vector<Running>& engine, const OperationPtr& operation);
  void finish(const OperationPtr& operation);
  void set_speeds();
  void share_sms();
  double link_speed(Engine direction, double asked, double asked_back) const;
  double end_of(const Running& running) const;
  double next_event() const;
  void advance_to(double us);

  const Costs& costs_;
  double now_us_ = 0, next_kernel_us_ = 0;
  std::unordered_map<std::uint64_t, OperationPtr> unfinished_;
  std::priority_queue<OperationPtr, std::vector<OperationPtr>, Later> ready_;  // some in the future
  std::deque<OperationPtr> copies_in_, copies_out_, kernels_;  // ready, their engine is not
  std::vector<Running> in_, out_, sms_;
};

}  // namespace trilane::simulator
