// One variant on one workload: its measurements and the figures derived from them. Times are
// microseconds.
#pragma once

#include <boost/describe/class.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/base/json/misfit.hpp"
#include "common/base/json/ranges.hpp"
#include "common/base/text/enumerators.hpp"
#include "common/model/results/limit.hpp"
#include "common/model/results/merging.hpp"
#include "common/model/results/price.hpp"
#include "common/model/results/timeline.hpp"
#include "common/model/variant/plan.hpp"

namespace trilane {

/// One timed pass (latency) or the mean pass of a batch (throughput). `device` comes from a second
/// pass, so that recording its events does not slow down the other two.
struct Sample {
  double submit_us = 0;  ///< host time inside submit
  double device_us = 0;  ///< between two events around the pass
  double wall_us = 0;    ///< from before submit until the origin stream is idle
  std::uint32_t round = 0;
  std::uint32_t after =
      0;  ///< index of the variant that had the turn before; its own in the first turn
  std::uint32_t process = 0;  ///< index in Comparison::processes
  double host_us = 0;         ///< host time of a fixed piece of work before the turn's samples
};
BOOST_DESCRIBE_STRUCT(Sample, (), (process, round, after, submit_us, device_us, wall_us, host_us))
constexpr bool in_columns(const Sample&) { return true; }
constexpr auto ranges(const Sample*) {
  return std::tuple{Within<&Sample::wall_us>{{1e-3, day_us}}};  // a file holds nanoseconds
}

enum class Status {
  ok,
  failed,         ///< wrong data, evidence against the plan, or an error: times do not count
  not_supported,  ///< this GPU cannot run it
  out_of_memory,  ///< insufficient memory
  not_run,        ///< the process ended early: a sticky error or an interrupt
};
BOOST_DESCRIBE_ENUM(Status, ok, failed, not_supported, out_of_memory, not_run)

/// Returns true if it was meant to run and did not complete.
constexpr bool went_wrong(Status status) {
  return status == Status::failed || status == Status::out_of_memory;
}

/// One clock of a variant. `mean` is the time of a pass. Ratios are ratios of means, so that times
/// and ratios never contradict each other (statistics.hpp). The other members are of single passes.
struct Summary {
  double mean = 0, median = 0, q1 = 0, q3 = 0, p99 = 0, min = 0;
};
BOOST_DESCRIBE_STRUCT(Summary, (), (mean, median, q1, q3, p99, min))
constexpr auto ranges(const Summary*) {
  using R = Summary;
  return std::tuple{Within<&R::mean, &R::median, &R::q1, &R::q3, &R::p99, &R::min>{{0, day_us}}};
}
inline void cross_check(const Summary& s) {
  if (s.min <= s.q1 && s.q1 <= s.median && s.median <= s.q3 && s.q3 <= s.p99) return;
  misfit("does not ascend from min over q1, median and q3 to p99");
}

/// The ratio of mean wall times, variant over reference, with its range (ratio.hpp). Below 1
/// the variant is faster; a range that contains 1 is a tie.
struct Ratio {
  double estimate = 1, low = 1, high = 1;
  Covers covers = Covers::rounds;
  bool tie() const { return !(low > 1) && !(high < 1); }
};
BOOST_DESCRIBE_STRUCT(Ratio, (), (estimate, low, high, covers))
constexpr auto ranges(const Ratio*) {
  return std::tuple{Within<&Ratio::estimate, &Ratio::low, &Ratio::high>{factor_range}};
}
inline void cross_check(const Ratio& ratio) {
  if (!(ratio.low <= ratio.high)) misfit("has a low end above its high end");
}

/// The error of a simulated figure, as a factor in both directions: 1.2 means from 17% less to 20%
/// more. Absent if it is unknown for the profile or for the variant's operations.
struct Prediction {
  std::optional<double> ratio_error;       ///< of a ratio of wall times to another such variant
  std::optional<double> break_even_error;  ///< of the passes to break-even
};
BOOST_DESCRIBE_STRUCT(Prediction, (), (ratio_error, break_even_error))
constexpr auto ranges(const Prediction*) {
  return std::tuple{
      Within<&Prediction::ratio_error, &Prediction::break_even_error>{{1, factor_range.most}}};
}

/// One variant on one workload.
struct Measurement {
  std::string variant;
  Status status = Status::not_run;
  std::string message;  ///< the reason if not ok; otherwise empty
  Plan plan;
  std::vector<Count> evidence;
  double setup_us = 0;               ///< construction
  double first_pass_us = 0;          ///< wall time of the first pass
  double teardown_us = 0;            ///< destruction
  std::uint32_t checked_passes = 0;  ///< 0 also for times that were only predicted
  /// The number of its rounds, if it was dropped because it had clearly lost.
  std::optional<std::uint32_t> dropped_after;
  std::optional<Prediction> prediction;  ///< absent if the times were measured
  std::vector<Sample> samples;
  std::vector<Sample> set_aside;  ///< in older files: excluded because the host was slow
  /// Absent without samples or if not ok.
  std::optional<Summary> submit, device, wall;
  std::optional<Ratio> ratio;  ///< absent for the reference, and without one
  std::optional<Price> price;  ///< absent if the run ended before pricing
  /// Absent for the reference, and without one.
  std::optional<BreakEven> break_even;
  std::optional<Timeline> timeline;  ///< with --trace
  /// The bound that applies (loads.hpp), its share of the mean wall time, and its limiter. Absent
  /// if no bound is known, and in older files.
  std::optional<double> bound_us, efficiency;
  /// The bound from the measured rates, if a pass was faster: then that pass is the bound.
  std::optional<double> bound_by_rates_us;
  std::optional<Limiter> bound_by;
};
BOOST_DESCRIBE_STRUCT(Measurement, (),
                      (variant, status, message, plan, evidence, setup_us, first_pass_us,
                       teardown_us, checked_passes, dropped_after, prediction, submit, device, wall,
                       ratio, break_even, bound_us, bound_by, efficiency, bound_by_rates_us, price,
                       timeline, samples, set_aside))
constexpr auto ranges(const Measurement*) {
  return std::tuple{Within<&Measurement::message>{text_range},
                    Within<&Measurement::efficiency>{{0, 10}}};
}

/// Returns the rules for merging the measurements of several processes, see merging.hpp.
constexpr auto merge_rules(const Measurement*) {
  using enum merging::How;
  using merging::Rule;
  using R = Measurement;
  return std::tuple{
      Rule<first, &R::variant, &R::status, &R::plan, &R::evidence, &R::prediction, &R::timeline>(),
      Rule<own, &R::message, &R::dropped_after, &R::samples, &R::set_aside, &R::price>(),
      Rule<median, &R::setup_us, &R::first_pass_us, &R::teardown_us>(),
      Rule<sum, &R::checked_passes>(),
      Rule<derived, &R::submit, &R::device, &R::wall, &R::ratio, &R::break_even, &R::bound_us,
           &R::bound_by, &R::efficiency, &R::bound_by_rates_us>()};
}

}  // namespace trilane
