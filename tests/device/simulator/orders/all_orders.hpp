// The legal orders of a variant's operations: checked passes under scripted or random choices.
#pragma once

#include <unordered_set>

#include "common/device/simulator/machine/machine.hpp"
#include "common/measure/gpu/runtime/handles.hpp"
#include "common/model/variant/variant.hpp"
#include "common/model/workload/reference.hpp"
#include "common/model/workload/steps.hpp"
#include "tests/framework.hpp"

namespace trilane::simulator {

/// One checked pass.
struct Pass {
  std::uint64_t order = 0;  ///< fingerprint of the sequence in which its operations ran
  std::string wrong;  ///< data, a report of the hazard check, or an illegal order; empty: nothing
};

/// One variant on its own machine and buffers, set up once. The machine is the process's: only one
/// instance at a time.
class Passes {
 public:
  Passes(const VariantEntry& entry, const Workload& workload);
  ~Passes();
  Passes(const Passes&) = delete;
  Passes& operator=(const Passes&) = delete;

  /// Runs a pass on new input; all its choices come from `draw`.
  Pass run(std::unique_ptr<Draw> draw);

  const Workload& workload() const { return job_.workload; }

 private:
  void executed(const Operation& operation);
  std::string what_is_wrong();

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
Orders enumerate(Passes& passes, std::size_t limit);

/// Adds passes with random choices, from the seeds 1 to `count`, to `orders`.
void sample(Passes& passes, std::size_t count, Orders& orders);

/// Returns the number of orders of independent chains of operations, given their lengths: the
/// multinomial coefficient, at most `most`.
std::uint64_t orders_of_chains(const std::vector<std::uint64_t>& lengths, std::uint64_t most);

}  // namespace trilane::simulator
