// Runs operations in an order drawn from all legal ones.
#pragma once

#include "common/device/simulator/operations/device_operation.hpp"
#include "common/model/workload/random.hpp"

namespace trilane::simulator {

/// The choices among the outcomes that the documentation allows. Tests replace it to see all.
class Draw {
 public:
  virtual ~Draw() = default;
  /// Returns the index of the next of `count` ready operations; `count` is at least 2.
  virtual std::size_t next_operation(std::size_t count) = 0;
  /// Returns true if something optional should happen.
  virtual bool may() = 0;
};

/// Makes every choice with equal probability; the same seed gives the same choices.
class RandomDraw final : public Draw {
 public:
  explicit RandomDraw(std::uint64_t seed) : order_(seed), may_(~seed) {}
  std::size_t next_operation(std::size_t count) override { return order_.below(count); }
  bool may() override { return may_.below(2) == 1; }

 private:
  Random order_, may_;
};

class Schedule : boost::noncopyable {
 public:
  /// Calls `execute` once for each operation to run its work.
  explicit Schedule(std::function<void(Operation&)> execute) : execute_(std::move(execute)) {}
  ~Schedule();

  /// Adds an operation whose `after` is complete.
  void add(OperationPtr operation);

  /// Runs ready operations of any stream, drawn by `draw`, until everything in `targets` is done.
  /// The draw chooses among them by number, so the same choices give the same order. An exception
  /// of `execute` propagates, and the operation counts as done. Throws std::logic_error.
  void run_until(const Frontier& targets, Draw& draw);

  /// Runs one of the ready operations that `may_run` accepts. Returns false if none exists.
  bool step(
      Draw& draw,
      const std::function<bool(const Operation&)>& may_run = [](const Operation&) { return true; });

 private:
  void make_ready(Operation& operation);
  void finish(Operation& operation);

  std::function<void(Operation&)> execute_;
  Frontier pending_;               // not done; Operation::waiting.place is an index into it
  std::vector<Operation*> ready_;  // the ready ones among them, by number
};

}  // namespace trilane::simulator
