// The harness: runs the variants of a comparison in rounds, checks their results, and records
// which of them fail. It knows only a Bench and its indices.
#pragma once

#include "common/base/console/interrupt.hpp"
#include "common/measure/rounds/bench.hpp"

namespace trilane {

struct HarnessSettings {
  double seconds = 0;  ///< measuring time, without set-up and checks
  /// Turns and batches are shortened until this many rounds fit into the time. With fewer,
  /// intervals rest on two cosine frequencies (interval.hpp) and are over twice as wide.
  std::uint32_t min_rounds = 20;
  /// Between rounds all variants are torn down and set up again, in a shuffled order, as often as
  /// this share of the measuring time allows, on top of it. Two set-ups of one graph differed by
  /// 0.3 to 0.5% on an H200. The direction was the same in every comparison of a process, because
  /// the first one always got the same memory and streams. One set-up's intervals miss that.
  double renewing_share = 0.2;
  double warm_up_us = 50'000;  ///< after every check
  int checks_before = 2;       ///< one is not enough: fresh memory often reads zero
  bool checks_between = true;  ///< otherwise only before the first round and after the last
  /// Called after every round. May mark variants as dropped, which get no more turns; ends the run
  /// by returning the text for Comparison::stopped. Without it the run lasts until the time is up.
  std::function<std::string(const Comparison&, std::vector<bool>& dropped)> judge = {};
};

/// Receives the harness's activity, for a progress display.
struct HarnessListener {
  std::function<void(const std::string&)> phase = [](const std::string&) {};
  std::function<void(double)> advance = [](double) {};       ///< fraction of the time used
  std::function<bool()> interrupted = [] { return false; };  ///< called between turns
};

/// Returns the name of a phase for HarnessListener::phase, with its time if that is more than 10 s:
/// "checking", or "checking, which takes about 14 s".
std::string announced(const std::string& phase, double seconds);

/// Returns the status and message for a variant's exception: failed, out of memory, not supported.
std::pair<Status, std::string> failure_of(const std::exception_ptr& thrown);

/// The variants of a comparison, by index. A variant takes part while its status is ok.
class Roster {
 public:
  Roster(Bench& bench, Comparison& comparison) : bench_(bench), comparison_(comparison) {}

  Measurement& operator[](std::size_t variant) { return comparison_.measurements[variant]; }
  bool takes_part(std::size_t variant) const {
    return comparison_.measurements[variant].status == Status::ok;
  }
  std::size_t left() const;  ///< number of participants

  /// Runs `action` for every variant that takes part.
  template <typename Action>
  void each(Action action) {
    for (std::size_t v = 0; v < comparison_.measurements.size(); ++v) attempt(v, action);
  }

  /// Runs `action` if the variant takes part. An exception fails it; a sticky error dismisses all.
  template <typename Action>
  void attempt(std::size_t variant, Action action) {
    if (!takes_part(variant)) return;
    try {
      action(variant);
    } catch (const Interrupted&) {
      // Interrupted, not failed: the caller also sees the signal.
    } catch (...) {
      fail(variant, std::current_exception());
      if (bench_.lost()) lose(variant);
    }
  }

  /// Marks the variant as failed.
  void fail(std::size_t variant, const std::string& message);

  /// Sets its status and message by failure_of().
  void fail(std::size_t variant, const std::exception_ptr& thrown);

  /// Marks all variants that still take part as not run.
  void dismiss(const std::string& message);

 private:
  void lose(std::size_t culprit);

  Bench& bench_;
  Comparison& comparison_;
};

/// Checks the results of the variants, and announces long checks.
class Checks {
 public:
  Checks(Bench& bench, Roster& roster, const HarnessListener& listener)
      : bench_(bench), roster_(roster), listener_(listener) {}

  /// Checks every participant `times` times before anything is timed. Announces how long that takes
  /// as soon as the first variant shows it.
  void before(int times, std::uint32_t batch);

  /// Checks every participant. A single pass on new input comes first, because in a batch a pass
  /// that does nothing would go unnoticed behind an earlier one. Then comes a batch of more than
  /// one. Variants with wrong results fail.
  void all(std::uint32_t batch);

  /// Makes the announced check after everything else.
  void again(std::uint32_t batch);

  /// Checks one variant as all() does, on the current input.
  void one(std::size_t variant, std::uint32_t batch);

  /// Compares what the runtime reports about the variant with its plan. It fails if they differ.
  void plan(std::size_t variant);

 private:
  void check(std::size_t variant, std::uint32_t batch);
  double seconds() const;

  Bench& bench_;
  Roster& roster_;
  const HarnessListener& listener_;
  int times_ = 1;
  double one_us_ = 0;  // of the latest variant
};

/// Runs one comparison: set-up, checks and evidence; rounds of interleaved turns, with checks and
/// further set-ups between them; a last check, and tear-down. `comparison` needs its workload,
/// batch, reference, seed and one Measurement per variant of `bench`, in the same order; those with
/// Status::ok run. Fills it with everything measured, and its summaries. A variant that fails is
/// left out from then on; after a sticky error all are. If passes are long, shortens turns and then
/// batches (comparison.batch) until enough rounds for an interval fit.
void run_comparison(Bench& bench, Comparison& comparison, const HarnessSettings& settings,
                    const HarnessListener& listener);

}  // namespace trilane
