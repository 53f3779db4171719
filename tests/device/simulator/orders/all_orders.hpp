// The legal orders of a variant's operations: checked passes under scripted or random choices.
#pragma once

#include <unordered_set>

#include "common/device/simulator/machine/machine.hpp"
#include "common/measure/gpu/runtime/handles.hpp"
#include "common/model/variant/variant.hpp"
#include "common/model/workload/data/contents.hpp"
#include "common/model/workload/reference.hpp"
#include "common/model/workload/steps.hpp"
#include "tests/device/simulator/timing/choices.hpp"
#include "tests/framework.hpp"

namespace trilane::simulator {

inline Settings fresh() {
  Settings settings;
  settings.profile = built_in_profile();
  return settings;
}

/// Restarts the machine before the first buffer is taken from it.
inline const Workload& on_a_fresh_machine(const Workload& workload) {
  restart(fresh());
  return workload;
}

/// One checked pass.
struct Pass {
  std::uint64_t order = 0;  ///< fingerprint of the sequence in which its operations ran
  std::string wrong;  ///< data, a report of the hazard check, or an illegal order; empty: nothing
};

/// One variant on its own machine and buffers, set up once. The machine is the process's: only one
/// instance at a time.
class Passes {
 public:
  Passes(const VariantEntry& entry, const Workload& workload)
      : reference_(on_a_fresh_machine(workload), 1),
        in_(make_pinned_buffer(layout_of(workload).in_bytes)),
        out_(make_pinned_buffer(layout_of(workload).out_bytes)),
        expected_(layout_of(workload).out_bytes),
        job_(workload, in_.get(), out_.get()),
        origin_(make_stream()),
        variant_(entry.make(job_)) {
    machine().on_execute = [this](const Operation& operation) { executed(operation); };
  }
  ~Passes() { machine().on_execute = nullptr; }
  Passes(const Passes&) = delete;
  Passes& operator=(const Passes&) = delete;

  /// Runs a pass on new input; all its choices come from `draw`.
  Pass run(std::unique_ptr<Draw> draw) {
    Machine& m = machine();
    m.draw = std::move(draw);
    issued_before_ = m.issued;
    executed_ = order_ = 0;
    last_of_.clear();
    reference_.draw(in_.get(), expected_.data());
    poison(out_.get(), expected_.size(), expected_.data());
    variant_->submit(origin_.get());
    check(cudaStreamSynchronize(origin_.get()));
    return {order_, what_is_wrong()};
  }

  const Workload& workload() const { return job_.workload; }

 private:
  /// Checks an operation against the rules here, without asking the schedule: it must follow what
  /// it waits for, and what its stream got before it. Nodes of a graph have an order of their own,
  /// copies of a batch have none among themselves.
  void executed(const Operation& operation) {
    ++executed_;
    order_ = (order_ ^ (operation.number - issued_before_)) * 0x9e3779b97f4a7c15;
    order_ ^= order_ >> 32;
    const bool waited = std::ranges::all_of(
        operation.after, [](const OperationPtr& before) { return before->done; });
    std::uint64_t& last = last_of_[operation.stream];
    const bool is_batched = operation.task->batched.has_value();
    const bool in_order = operation.launch != 0 || is_batched || last < operation.number;
    last = is_batched ? std::max(last, operation.number) : operation.number;
    if (!waited || !in_order) illegal_ = describe(operation) + " ran too early";
  }
  std::string what_is_wrong() {
    Machine& m = machine();
    if (!illegal_.empty()) return std::exchange(illegal_, {});
    if (executed_ != m.issued - issued_before_) {
      return fmt::format("{} of {} operations ran", executed_, m.issued - issued_before_);
    }
    if (!m.hazards.reports().empty()) {
      const Report report = m.hazards.reports().front();
      m.hazards.clear();
      return name_of(report.hazard) + ": " + report.text;
    }
    if (take_gaps(job_.workload, out_.get(), expected_.data()) > 0) return "wrote between chunks";
    const auto mismatch = compare(out_.get(), expected_.data(), expected_.size());
    return mismatch ? fmt::format("wrong data at byte {}", mismatch->offset) : "";
  }

  Reference reference_;
  PinnedBuffer in_, out_;
  std::vector<std::byte> expected_;
  Job job_;
  Stream origin_;
  std::unique_ptr<Variant> variant_;

  // The state of the current pass.
  std::uint64_t issued_before_ = 0, executed_ = 0, order_ = 0;
  std::map<std::uint64_t, std::uint64_t> last_of_;  // by stream, the last operation that ran
  std::string illegal_;
};

/// The observed orders of one variant on one workload.
struct Orders {
  std::unordered_set<std::uint64_t> distinct;  ///< fingerprints
  std::size_t passes = 0;
  bool all = false;   ///< every sequence of choices was made
  std::string wrong;  ///< of the first pass with something wrong, which is the last one made
};

/// Runs passes with every sequence of choices, in turn. Stops early at `limit` distinct orders, or
/// at ten times as many passes: an order repeats if choices concern things that only may happen.
inline Orders enumerate(Passes& passes, std::size_t limit) {
  Orders orders;
  const auto choices = std::make_shared<Choices>();
  do {
    const Pass pass = passes.run(std::make_unique<ChosenDraw>(choices));
    ++orders.passes;
    orders.distinct.insert(pass.order);
    orders.wrong = pass.wrong;
    orders.all = !choices->next();
  } while (!orders.all && orders.wrong.empty() && orders.distinct.size() < limit &&
           orders.passes < 10 * limit);
  return orders;
}

/// Adds passes with random choices, from the seeds 1 to `count`, to `orders`.
inline void sample(Passes& passes, std::size_t count, Orders& orders) {
  for (std::uint64_t seed = 1; seed <= count && orders.wrong.empty(); ++seed) {
    const Pass pass = passes.run(std::make_unique<RandomDraw>(seed));
    ++orders.passes;
    orders.distinct.insert(pass.order);
    if (!pass.wrong.empty()) orders.wrong = fmt::format("seed {}: {}", seed, pass.wrong);
  }
}

/// Returns the number of orders of independent chains of operations, given their lengths: the
/// multinomial coefficient, at most `most`.
inline std::uint64_t orders_of_chains(const std::vector<std::uint64_t>& lengths,
                                      std::uint64_t most) {
  std::uint64_t orders = 1, operations = 0;
  for (const std::uint64_t length : lengths) {
    for (std::uint64_t i = 1; i <= length; ++i) {
      orders = orders * ++operations / i;
      if (orders >= most) return most;
    }
  }
  return orders;
}

}  // namespace trilane::simulator
