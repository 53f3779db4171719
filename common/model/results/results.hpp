// The records that programs write and plots read. Times are microseconds.
#pragma once

#include "common/model/results/limit.hpp"
#include "common/model/results/price.hpp"
#include "common/model/results/timeline.hpp"
#include "common/model/workload/workload.hpp"

namespace trilane {

/// One timed pass (latency) or the mean pass of a batch (throughput). `device` comes from a second
/// pass, so that recording its events does not slow down the other two.
struct Sample {
  double submit_us = 0;  ///< host time inside submit
  double device_us = 0;  ///< between two events around the pass
  double wall_us = 0;    ///< from before submit until the origin stream is idle
  std::uint32_t round = 0;
  std::uint32_t after = 0;    ///< index of the variant of the turn before; at first its own
  std::uint32_t process = 0;  ///< index in Comparison::processes
  double host_us = 0;         ///< host time of a fixed piece of work before the turn's samples
};
BOOST_DESCRIBE_STRUCT(Sample, (), (process, round, after, submit_us, device_us, wall_us, host_us))
constexpr bool in_columns(const Sample&) { return true; }
TRILANE_RANGES(Sample, Within<&R::wall_us>{{1e-3, day_us}})  // a file holds nanoseconds

BOOST_DEFINE_ENUM_CLASS(
    Status, ok,
    failed,         ///< wrong data, evidence against the plan, or an error: times do not count
    not_supported,  ///< this GPU cannot run it
    out_of_memory,  ///< insufficient memory
    not_run)        ///< the process ended early: a sticky error or an interrupt

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
TRILANE_RANGES(Summary, Within<&R::mean, &R::median, &R::q1, &R::q3, &R::p99, &R::min>{{0, day_us}})
inline void cross_check(const Summary& s) {
  if (s.min <= s.q1 && s.q1 <= s.median && s.median <= s.q3 && s.q3 <= s.p99) return;
  misfit("does not ascend from min over q1, median and q3 to p99");
}

/// The ratio of mean wall times, variant over reference, with its range (statistics.hpp). Below 1
/// the variant is faster; a range that contains 1 is a tie.
struct Ratio {
  double estimate = 1, low = 1, high = 1;
  Covers covers = Covers::rounds;
  bool tie() const { return !(low > 1) && !(high < 1); }
};
BOOST_DESCRIBE_STRUCT(Ratio, (), (estimate, low, high, covers))
TRILANE_RANGES(Ratio, Within<&R::estimate, &R::low, &R::high>{factor_range})
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
TRILANE_RANGES(Prediction, Within<&R::ratio_error, &R::break_even_error>{{1, factor_range.most}})

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
  std::optional<Summary> submit, device, wall;  ///< absent without samples or if not ok
  std::optional<Ratio> ratio;                   ///< absent for the reference, and without one
  /// With GPUs at once in one process: the time over that in a process for each.
  std::optional<Ratio> over_processes;
  /// Over the same variant on one GPU; absent unless the pass is split and that was measured, too.
  std::optional<Ratio> over_one_gpu;
  std::optional<Price> price;           ///< absent if the run ended before pricing
  std::optional<BreakEven> break_even;  ///< absent for the reference, and without one
  std::optional<Timeline> timeline;     ///< with --trace
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
                       ratio, over_processes, over_one_gpu, break_even, bound_us, bound_by,
                       efficiency, bound_by_rates_us, price, timeline, samples, set_aside))
TRILANE_RANGES(Measurement, Within<&R::message>{text_range}, Within<&R::efficiency>{{0, 10}})
TRILANE_MERGE_RULES(
    Measurement,
    Rule<first, &R::variant, &R::status, &R::plan, &R::evidence, &R::prediction, &R::timeline>(),
    Rule<own, &R::message, &R::dropped_after, &R::samples, &R::set_aside, &R::price>(),
    Rule<median, &R::setup_us, &R::first_pass_us, &R::teardown_us>(),
    Rule<sum, &R::checked_passes>(),
    Rule<derived, &R::submit, &R::device, &R::wall, &R::ratio, &R::over_processes, &R::over_one_gpu,
         &R::break_even, &R::bound_us, &R::bound_by, &R::efficiency, &R::bound_by_rates_us>())

/// Grows whenever readers of the file must change. derive() finds the winners and means of older
/// versions, which are still read.
/// - 2: context.simulated, without which a reader would take simulated times for measured ones.
/// - 3: host memory, pool policy and way of waiting.
/// - 4: the execution model of a plan.
/// - 5: the winners of the tiers, what a range covers, and the error of predictions.
/// - 6: users' pipelines, and gaps between chunks.
/// - 7: means, and ratios of means.
inline constexpr int results_schema_version = 7;

/// latency: wait after each pass. throughput: wait after a batch of passes.
BOOST_DEFINE_ENUM_CLASS(Mode, latency, throughput)

/// A setting whose change can make a variant faster.
BOOST_DEFINE_ENUM_CLASS(Knob, lanes, chunks)

/// A setting predicted to make a variant faster, for the same bytes of a pass.
struct NextStep {
  Knob knob{};
  std::uint32_t value = 0;
  double wall_us = 0;  ///< predicted
};
BOOST_DESCRIBE_STRUCT(NextStep, (), (knob, value, wall_us))

/// The verdict in parts, which may be empty or absent.
struct Advice {
  std::string use;             ///< the variant to use
  std::string over;            ///< the variant it was compared with
  std::optional<Ratio> ratio;  ///< over that variant
  std::optional<BreakEven> break_even;
  std::optional<std::uint64_t> device_bytes;  ///< median
  std::string limited_by;                     ///< "host submission", "copy in", "SMs", ...
  std::optional<double> share;                ///< the limiter's share of its wall time
  std::string figures;                        ///< the evidence, in words
  std::string next;                           ///< what to try, in words; empty without a step
  std::optional<NextStep> step;               ///< the same as a record
};
BOOST_DESCRIBE_STRUCT(Advice, (),
                      (use, over, ratio, break_even, device_bytes, limited_by, share, figures, next,
                       step))
TRILANE_RANGES(Advice, Within<&R::figures, &R::next>{text_range}, Within<&R::share>{{0, 10}})

/// The best variant of a tier, see explain/analysis/verdict/derive.hpp.
struct Winner {
  Tier tier = Tier::same_operations;
  std::string variant;
  std::optional<Ratio> ratio;       ///< over the reference; absent for it, and without one
  std::vector<std::string> tied{};  ///< others of the tier that tie with it
};
BOOST_DESCRIBE_STRUCT(Winner, (), (tier, variant, ratio, tied))

/// The time of one iteration of the recorded program itself.
struct WatchedTime {
  std::uint32_t process = 0;  ///< index in Comparison::processes
  double us = 0;
};
BOOST_DESCRIBE_STRUCT(WatchedTime, (), (process, us))
constexpr bool in_columns(const WatchedTime&) { return true; }
TRILANE_RANGES(WatchedTime, Within<&R::us>{{0, day_us}})

/// Iterations of the recorded program itself, in order, with only their ends being watched.
struct Watched {
  double cupti_us = 0;  ///< time that CUPTI's presence adds to each; 0: not known
  std::vector<WatchedTime> times{};
};
BOOST_DESCRIBE_STRUCT(Watched, (), (cupti_us, times))

/// A comparison's GPU in a run of several, and how many others did the same work meanwhile.
struct Placement {
  std::uint32_t device = 0;  ///< ordinal
  std::string gpu, pci_bus_id;
  std::uint32_t beside = 0;  ///< 0: this GPU alone
  bool one_process = false;  ///< all in one, with a host thread for each
};
BOOST_DESCRIBE_STRUCT(Placement, (), (device, gpu, pci_bus_id, beside, one_process))

/// One workload under all chosen variants.
struct Comparison {
  Workload workload;
  std::optional<Placement> placement;  ///< absent with one GPU
  Mode mode = Mode::latency;
  std::uint32_t batch = 1;  ///< passes per sample
  Wait wait = Wait::spin;
  std::string reference;  ///< empty if it did not run
  std::uint64_t seed = 0;
  std::uint32_t processes = 1;  ///< number that took samples
  double slow_down = 0;         ///< share added to the last variant's wall times, with --slow-down
  double requested_kernel_us = 0;  ///< --kernel-time; 0 if rounds were given
  std::string stopped;  ///< "precision", "time", "predicted", "interrupted", "error", "lost" (GPU)
  std::uint32_t rounds = 0;
  double seconds = 0;  ///< from set-up to tear-down, of all variants
  std::optional<Limit> limit;
  /// The time between calls in an iteration of a recording, which every candidate keeps.
  std::optional<double> host_us;
  std::optional<Watched> watched;   ///< with a recording: the reference of every promise
  std::string regime;               ///< whether the preset's regime holds here, with the figures
  std::optional<bool> regime_held;  ///< absent if not judged
  std::vector<Measurement> measurements;
  std::vector<std::string> not_modelled;  ///< what simulated times leave out
  std::vector<Winner> winners;            ///< one for each timed tier
  std::string verdict;                    ///< in sentences
  std::optional<Advice> advice;           ///< the same in parts; absent without a verdict
};
BOOST_DESCRIBE_STRUCT(Comparison, (),
                      (workload, placement, mode, batch, wait, reference, seed, processes,
                       slow_down, requested_kernel_us, stopped, rounds, seconds, limit, host_us,
                       watched, regime, regime_held, not_modelled, winners, verdict, advice,
                       measurements))
TRILANE_RANGES(Comparison, Within<&R::regime, &R::not_modelled, &R::verdict>{text_range},
               Within<&R::slow_down>{{0, 1}}, Within<&R::batch>{{1, 1e6}},
               Within<&R::processes>{{1, 1000}})
/// Throws a Misfit unless options can ask for the workload, each variant and the reference occur
/// once, and samples refer to existing processes, rounds and variants.
void cross_check(const Comparison& comparison);
TRILANE_MERGE_RULES(Comparison,
                    Rule<own, &R::workload, &R::batch, &R::processes, &R::stopped, &R::limit,
                         &R::watched, &R::measurements>(),
                    Rule<same, &R::placement, &R::mode, &R::wait, &R::slow_down,
                         &R::requested_kernel_us, &R::not_modelled>(),
                    Rule<first, &R::reference, &R::seed, &R::host_us, &R::regime>(),
                    Rule<sum, &R::rounds, &R::seconds>(),
                    Rule<derived, &R::regime_held, &R::winners, &R::verdict, &R::advice>())

/// One property of the environment, "driver_version": "580.159".
using Property = std::pair<std::string, std::string>;

/// The place, time and build of the run. Members are empty if they could not be read.
struct Context {
  std::string simulated;  ///< the profile of all times; empty if they were measured
  std::string tool_version, git_revision, build_type;
  std::string command_line;
  std::string started, finished;                ///< UTC, ISO 8601
  std::vector<Property> host;                   ///< cpu, cores, memory, kernel
  std::vector<Property> environment;            ///< CUDA_* and NVIDIA_* variables
  std::vector<Property> gpu;                    ///< name, uuid, pci id, versions, memory, SMs
  std::vector<Property> gpu_before, gpu_after;  ///< clocks, temperature, power, throttling, link
  std::vector<std::string> other_processes;     ///< on the GPU besides this one
  std::vector<std::string> notes;               ///< what could not be read or run, with the reason
};
BOOST_DESCRIBE_STRUCT(Context, (),
                      (simulated, tool_version, git_revision, build_type, command_line, started,
                       finished, host, environment, gpu, gpu_before, gpu_after, other_processes,
                       notes))
TRILANE_RANGES(Context, Within<&R::command_line, &R::host, &R::environment, &R::gpu, &R::gpu_before,
                               &R::gpu_after, &R::other_processes, &R::notes>{text_range})
TRILANE_MERGE_RULES(Context,
                    Rule<same, &R::simulated, &R::tool_version, &R::git_revision, &R::build_type>(),
                    Rule<first, &R::command_line, &R::started, &R::host, &R::environment, &R::gpu,
                         &R::gpu_before>(),
                    Rule<last, &R::finished, &R::gpu_after>(),
                    Rule<united, &R::other_processes, &R::notes>())

/// An answer to a general question about all workloads.
struct Answer {
  std::string question;  ///< "Graph?", "Pool?", "Engines?", "Settings?"
  std::string text;
};
BOOST_DESCRIBE_STRUCT(Answer, (), (question, text))
TRILANE_RANGES(Answer, Within<&R::text>{text_range})

struct Results {
  Context context;
  std::vector<Answer> answers{};      ///< see derive_answers()
  std::vector<std::string> doubts{};  ///< reasons to doubt the figures, and the remedy
  std::vector<Comparison> comparisons{};
};
BOOST_DESCRIBE_STRUCT(Results, (), (context, answers, doubts, comparisons))
TRILANE_RANGES(Results, Within<&R::doubts>{text_range})

}  // namespace trilane
