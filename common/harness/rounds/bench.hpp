// What the harness drives: the variants of one comparison, by index. The real one runs them on a
// GPU (cuda_bench.hpp); tests give the harness a fake and look at what it does with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/gpu/runtime/phase.hpp"
#include "common/results/results.hpp"

namespace trilane {

/// Every function may throw; the exception's message says what went wrong with that variant.
class Bench {
 public:
  virtual ~Bench() = default;

  /// Draws new input and the output expected for it. Nothing runs meanwhile.
  virtual void new_input() = 0;

  /// Constructs the variant; returns the time taken in microseconds.
  virtual double set_up(std::size_t variant) = 0;
  /// One pass, and waits for it; returns its wall time in microseconds.
  virtual double pass(std::size_t variant) = 0;
  /// The same with its phases logged, which takes some time itself.
  virtual double pass_by_phase(std::size_t variant) = 0;
  /// Where the time of the latest set-up, or pass by phase, went; the rest of it is in no phase.
  virtual const std::vector<PhaseTime>& phases() = 0;
  /// `batch` passes and one wait, twice: without events for submit and wall, with for device.
  virtual Sample sample(std::size_t variant, std::uint32_t batch) = 0;
  /// Poisons the output, runs `batch` passes, waits, and compares every byte with what is expected.
  /// Returns what is wrong, or an empty string; on the simulated device also what was wrong with
  /// the order of operations since the check before.
  virtual std::string check(std::size_t variant, std::uint32_t batch) = 0;
  /// What the runtime reports of the variant, to be held against its plan.
  virtual std::vector<Count> evidence(std::size_t variant) = 0;
  /// Destroys the variant; returns the time taken in microseconds. Throws where the order was wrong
  /// since the last check, and after a sticky error.
  virtual double tear_down(std::size_t variant) = 0;

  /// Device memory that nobody has taken; other processes on the device count as well.
  virtual std::uint64_t free_bytes() = 0;

  /// After an exception: the error is sticky, no further call to the GPU can succeed.
  virtual bool lost() = 0;
  /// Monotonic time in microseconds.
  virtual double now() = 0;
};

}  // namespace trilane
