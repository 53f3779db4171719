// Plain records: the contract between the programs and the plots. Times are microseconds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/workload/plan.hpp"
#include "common/workload/wait.hpp"
#include "common/workload/workload.hpp"

namespace trilane {

/// Changes whenever a reader of the results file would have to change. 2: context.simulated,
/// without which a reader would take simulated times for measured ones. 3: host memory, pool policy
/// and way of waiting. Older versions are read as well.
inline constexpr int results_schema_version = 3;

/// latency: wait after each pass. throughput: a batch of passes, then wait.
enum class Mode { latency, throughput };

/// One timed pass (latency) or the mean pass of a batch (throughput).
/// `submit` and `wall` come from a pass without events; `device` from a pass of its own, so that
/// recording events is no part of the other two.
struct Sample {
  double submit_us = 0;  ///< host time inside submit
  double device_us = 0;  ///< between two events around the pass
  double wall_us = 0;    ///< from before submit until the origin stream is idle
  std::uint32_t round = 0;
  std::uint32_t after = 0;    ///< index of the variant whose turn came before (own: none before)
  std::uint32_t process = 0;  ///< which of Comparison::processes
};

enum class Status {
  ok,
  failed,         ///< wrong data, evidence against the plan, or an error; its times do not count
  not_supported,  ///< this GPU cannot run it
  not_run,        ///< the process could not go on: a sticky error, or an interrupt
};

/// Five numbers of one clock.
struct Summary {
  double median = 0, q1 = 0, q3 = 0, p99 = 0, min = 0;
};

/// The paired ratio of wall times, variant over reference: below 1 the variant is faster.
/// The interval holds 95%, see statistics.hpp; when it contains 1 the two are tied.
struct Ratio {
  double estimate = 1, low = 1, high = 1;
  bool tie() const { return !(low > 1) && !(high < 1); }
};

/// A name and a list of figures, one for each repetition.
struct Series {
  std::string name;
  std::vector<double> values;
};

/// What a variant costs besides its passes. It was set up several times while no other variant was,
/// with a few passes and a tear-down each time: entry i of every list is of the i-th time. Times
/// are microseconds, raw; report.hpp says how they are summed up.
struct Price {
  std::vector<double> setup_us;                ///< construction
  std::vector<Series> phases;                  ///< its parts, the last "other"
  std::vector<std::vector<double>> passes_us;  ///< wall time of the first pass, of the second, ...
  /// Of the first pass, what allocating from a pool took more than in the last: empty without one.
  std::vector<double> priming_us;
  std::vector<double> teardown_us;
  /// What the device had less free after these passes than before the set-up. Whatever another
  /// process took or gave back meanwhile is in it; and what fits into memory that the driver holds
  /// already, which it takes in steps, is not.
  std::vector<std::uint64_t> device_bytes;
  /// As the runtime reports them after the passes; absent where the variant has none of that.
  std::optional<std::uint64_t> pool_used_high_bytes, pool_reserved_high_bytes, graph_reserved_bytes;
};

/// Whether, and when, a variant has made up for its set-up against the reference.
enum class Pays {
  at_once,   ///< it is never behind
  later,     ///< after `passes`
  at_first,  ///< ahead only up to `passes`: set up sooner, but slower
  never,     ///< set up later, and not faster
};

/// The pass count at which real sequences crossed: set up, then pass after pass.
struct Crossing {
  std::uint32_t sequences = 0;  ///< of each of the two
  std::uint32_t run = 0;        ///< passes in each
  /// With a 95% interval over the sequences; absent: not within the passes that were run.
  std::optional<double> passes{}, low{}, high{};
};

/// The pass count at which the cumulated times of variant and reference are the same (see
/// break_even.hpp), with a 95% interval. Absent figures are without end: never, or, of `at_first`,
/// ahead for ever.
struct BreakEven {
  Pays pays = Pays::never;
  std::optional<double> passes{}, low{}, high{};
  std::optional<Crossing> crossing{};  ///< with --prove-break-even
};

/// One variant on one workload.
struct Measurement {
  std::string variant;
  Status status = Status::not_run;
  std::string message;  ///< why it is not ok; empty otherwise
  Plan plan;
  std::vector<Count> evidence;
  double setup_us = 0;       ///< construction
  double first_pass_us = 0;  ///< wall time of the first pass after it
  double teardown_us = 0;    ///< destruction
  std::uint32_t checked_passes = 0;
  std::vector<Sample> samples;
  /// Derived from the samples by summarise(); absent without samples or when not ok.
  std::optional<Summary> submit, device, wall;
  std::optional<Ratio> ratio;  ///< absent for the reference itself, and without one
  std::optional<Price> price;  ///< absent where the run ended before
  /// Derived from samples and price; absent for the reference itself, and without one.
  std::optional<BreakEven> break_even;
};

/// What the run's own buffers and kernels allow, measured beside the variants (see limit.hpp).
struct Limit {
  double in_gbps = 0, out_gbps = 0;                ///< each direction alone, 1e9 bytes/s
  double duplex_in_gbps = 0, duplex_out_gbps = 0;  ///< both at once
  /// One chunk, stage after stage on one stream; kernels: all of its depth.
  double copy_in_us = 0, clear_us = 0, kernels_us = 0, copy_out_us = 0;
  /// One more chunk when every lane is busy: copies both ways at once, clear and kernels alone.
  double steady_in_us = 0, steady_work_us = 0, steady_out_us = 0;
  double bound_us = 0;   ///< no pass that uses the copy engines can be faster
  double serial_us = 0;  ///< all stages one after the other
};

/// The verdict in parts. Empty texts and absent values where there is nothing to say.
struct Advice {
  std::string use;             ///< the variant to use
  std::string over;            ///< what it was held against
  std::optional<Ratio> ratio;  ///< over that
  std::optional<BreakEven> break_even;
  std::optional<std::uint64_t> device_bytes;  ///< median
  std::string limited_by;                     ///< "host submission", "copy in", "SMs", ...
  std::optional<double> share;                ///< of its wall time that the limit takes
  std::string figures;                        ///< that show it
  std::string next;                           ///< what to try
};

/// One workload under all chosen variants.
struct Comparison {
  Workload workload;
  Mode mode = Mode::latency;
  std::uint32_t batch = 1;  ///< passes per sample
  Wait wait = Wait::spin;
  std::string reference;  ///< empty when it did not run
  std::uint64_t seed = 0;
  std::uint32_t processes = 1;  ///< that its samples come from
  double slow_down = 0;  ///< on purpose, of the last variant: its wall times grew by this share
  double requested_kernel_us = 0;  ///< --kernel-time; 0 when rounds were given
  std::string stopped;             ///< "precision", "time", "interrupted", "error", "lost" (GPU)
  std::uint32_t rounds = 0;
  double seconds = 0;  ///< from the first set-up to the last tear-down
  std::optional<Limit> limit;
  std::string regime;               ///< does the preset's regime hold here, with the figures
  std::optional<bool> regime_held;  ///< absent for modified presets
  std::vector<Measurement> measurements;
  std::string verdict;           ///< in sentences
  std::optional<Advice> advice;  ///< the same in parts; absent without a verdict
};

/// One property of the surroundings, "driver_version": "580.159".
using Property = std::pair<std::string, std::string>;

/// Where, when and with what the run was made. Empty strings where something could not be read.
struct Context {
  std::string simulated;  ///< the profile that all times come from; empty when they were measured
  std::string tool_version, git_revision, build_type;
  std::string command_line;
  std::string started, finished;                ///< UTC, ISO 8601
  std::vector<Property> host;                   ///< cpu, cores, memory, kernel
  std::vector<Property> environment;            ///< CUDA_* and NVIDIA_* variables
  std::vector<Property> gpu;                    ///< name, uuid, pci id, versions, memory, SMs
  std::vector<Property> gpu_before, gpu_after;  ///< clocks, temperature, power, throttling, link
  std::vector<std::string> other_processes;     ///< on the GPU besides this one
  std::vector<std::string> notes;               ///< what could not be read or run, and why
};

struct Results {
  Context context;
  std::vector<Comparison> comparisons;
};

}  // namespace trilane
