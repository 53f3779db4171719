// The variants of one comparison, by index, as the harness runs them: on a GPU (cuda_bench.hpp), or
// a fake in tests; and the timing of their turns.
#pragma once

#include "common/model/results/results.hpp"

namespace trilane {

inline constexpr double us_per_second = 1e6;

/// Passes of at least this length need few repetitions.
inline constexpr double long_pass_us = 100'000;

/// The turn of a variant.
struct TurnPlan {
  std::uint32_t untimed = 1;       ///< passes before the samples
  std::uint32_t more_untimed = 0;  ///< extra passes at most, until the host runs at full speed
  std::uint32_t samples = 1;
  std::uint32_t batch = 1;  ///< passes in a sample
};
BOOST_DESCRIBE_STRUCT(TurnPlan, (), (untimed, more_untimed, samples, batch))

/// The timing of a comparison's turns, decided once from one pass of each variant.
struct Pace {
  std::uint32_t turn = 1;   ///< samples, at least
  std::uint32_t batch = 1;  ///< passes in a sample
  double round_us = 0;      ///< of all timed passes of a round

  /// Returns the turn of a variant whose pass takes `pass_us`. An untimed pass comes first, because
  /// of effects of the variant before; long passes need none.
  TurnPlan turn_of(double pass_us) const;
};

/// Returns the only turn of a variant in a process of its own: 20 ms untimed, because caches are
/// cold after a sleep; up to 20 ms more while the host's core is slow, and samples for the rest of
/// the time, at least 20 ms, of at least 0.6 ms each.
TurnPlan turn_alone(double pass_us, std::uint32_t batch, double seconds);

/// Returns the number of such passes that take 50 ms, at least 1 and at most `batch`.
std::uint32_t batch_alone(double pass_us, std::uint32_t batch);

/// Returns the wanted pace for variants whose passes take `passes_us`; the batch is the same for
/// all. Turns and then batches are shortened until the rounds fit into the time.
Pace pace_of(std::span<const double> passes_us, Pace pace, std::uint32_t rounds, double seconds);

/// Every function may throw. The exception's message says what went wrong with the variant. After a
/// signal, passes throw Interrupted between two of them.
class Bench {
 public:
  virtual ~Bench() = default;

  /// Draws new input and computes the expected output. No pass may be running.
  virtual void new_input() = 0;

  /// Constructs the variant; returns the time in microseconds.
  virtual double set_up(std::size_t variant) = 0;
  /// Runs one pass and waits for it; returns its wall time in microseconds.
  virtual double pass(std::size_t variant) = 0;
  /// Runs the passes of a turn: the untimed ones, those of all samples without events for the
  /// submit and wall times, and the same between events for the device times. A timed pass thus
  /// follows passes like itself, as in a plain program.
  virtual std::vector<Sample> turn(std::size_t variant, const TurnPlan& plan) = 0;
  /// Returns the only sample of a turn without untimed passes.
  Sample sample(std::size_t variant, std::uint32_t batch) {
    return turn(variant, {.untimed = 0, .samples = 1, .batch = batch}).at(0);
  }
  /// Poisons the output, runs `batch` passes, waits, and compares every byte with the expected
  /// output. Returns what is wrong, or an empty string. The simulated device also reports hazards.
  virtual std::string check(std::size_t variant, std::uint32_t batch) = 0;
  /// Returns what the runtime reports about the variant, for comparison with its plan.
  virtual std::vector<Count> evidence(std::size_t variant) = 0;
  /// Destroys the variant; returns the microseconds. Throws on hazards and after a sticky error.
  virtual double tear_down(std::size_t variant) = 0;

  /// Returns true after an exception if the error is sticky: no further GPU call can succeed.
  virtual bool lost() = 0;
  /// Returns monotonic time in microseconds.
  virtual double now() = 0;
};

/// Returns the shortest of three timings of a fixed piece of arithmetic on the host, in
/// microseconds of now_us(). All three take about 12 us on a fast core. Returns 0 on the simulated
/// device, whose host has constant speed.
double host_work_us();

/// A bench whose passes run in this process.
class LocalBench : public Bench {
 public:
  /// Returns the host's time for a fixed piece of work in microseconds; 0 if that never changes.
  virtual double host_us() = 0;

  /// Runs a turn; each sample records host_us() from before the first of them.
  std::vector<Sample> turn(std::size_t variant, const TurnPlan& plan) override {
    for (std::uint32_t i = 0; i < plan.untimed; ++i) pass(variant);
    double host = warmer_host_us();
    for (std::uint32_t i = 0; i < plan.more_untimed && host > slow_host * fastest_host_us_; ++i) {
      pass(variant);
      host = warmer_host_us();
    }
    std::vector<Sample> samples;
    for (std::uint32_t i = 0; i < plan.samples; ++i) {
      samples.push_back(without_events(variant, plan.batch));
      samples.back().host_us = host;
    }
    for (Sample& sample : samples) sample.device_us = between_events_us(variant, plan.batch);
    return samples;
  }

 protected:
  /// Runs `batch` passes and one wait; returns the submit and wall times of a pass.
  virtual Sample without_events(std::size_t variant, std::uint32_t batch) = 0;
  /// Runs the same between two events; returns the device time of a pass in microseconds.
  virtual double between_events_us(std::size_t variant, std::uint32_t batch) = 0;

 private:
  // The work takes 4.0 to 4.2 us in a process that never sleeps (H200).
  static constexpr double slow_host = 1.1;

  double warmer_host_us() {
    const double us = host_us();
    fastest_host_us_ = std::min(fastest_host_us_, us);
    return us;
  }

  double fastest_host_us_ = std::numeric_limits<double>::infinity();
};

}  // namespace trilane
