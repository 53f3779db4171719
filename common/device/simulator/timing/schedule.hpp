// Runs operations in an order drawn among all that are legal.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "common/device/simulator/operations/device_operation.hpp"
#include "common/device/simulator/operations/draw.hpp"

namespace trilane::simulator {

class Schedule {
 public:
  /// `execute` runs one operation's work; it is called once for each.
  explicit Schedule(std::function<void(Operation&)> execute) : execute_(std::move(execute)) {}
  ~Schedule();
  Schedule(const Schedule&) = delete;
  Schedule& operator=(const Schedule&) = delete;

  /// Takes over an operation whose `after` is complete.
  void add(OperationPtr operation);

  /// Runs operations, drawn by `draw` from all that are ready whatever their stream, until
  /// everything in `targets` is done; the rest stays. The draw chooses among them in the order of
  /// their numbers: the same choices give the same order, and different ones different orders. What
  /// `execute` throws leaves that operation done and rises. Throws std::logic_error when a target
  /// was never added.
  void run_until(const Frontier& targets, Draw& draw);

  /// Runs one ready operation, if there is one; false when there is none.
  bool step(Draw& draw);
  /// The same, of those that `may_run`.
  bool step(Draw& draw, const std::function<bool(const Operation&)>& may_run);

 private:
  void make_ready(Operation& operation);
  void finish(Operation& operation);

  std::function<void(Operation&)> execute_;
  Frontier pending_;               // not done; Operation::waiting.place is an index into it
  std::vector<Operation*> ready_;  // of them, what may run; sorted by number
};

}  // namespace trilane::simulator
