// A loop and its measurements, as they are merged, saved and shown.
#pragma once

#include "common/base/json/document.hpp"
#include "common/model/results/results.hpp"

namespace trilane {

/// The work of a loop.
struct Loop {
  std::string name;
  std::uint32_t lanes = 1;
  std::uint64_t in_bytes = 0, out_bytes = 0;  ///< of a lane's parameters and result
  double kernel_us = 0;                       ///< intended time of its kernel
  double analysis_us = 0;                     ///< the host's work on a result, besides the check
  std::uint32_t rounds = 1;                   ///< of the kernel, found on the device
};
BOOST_DESCRIBE_STRUCT(Loop, (), (name, lanes, in_bytes, out_bytes, kernel_us, analysis_us, rounds))

/// Returns the loops that have a name on the command line.
const std::vector<Loop>& loop_presets();

/// Returns one item of each lane, as a workload with a chunk for each lane.
Workload workload_of(const Loop& loop);

/// Returns "2 lanes, 16 KiB in, 4 KiB out".
std::string lanes_of(const Loop& loop);

/// Returns "kernel of 1 ms, analysis of 50 us"; without analysis "kernel of 1 ms".
std::string times_of(const Loop& loop);

/// The way in which a lane is restarted.
BOOST_DEFINE_ENUM_CLASS(Resubmission,
                        streams,  ///< a call for each operation
                        graph)    ///< one launch of the lane's graph

BOOST_DEFINE_ENUM_CLASS(
    LoopStatus, ok,
    not_modelled,   ///< by the simulated device; the reason says what
    not_supported,  ///< by the device or the driver; the reason says what
    not_run,        ///< the device was lost before its first turn; the reason says how
    failed)         ///< the reason says why

/// A turn: some items of every lane, and equally many again with events also at their starts, for
/// the device's times. In a long run, several consecutive turns, summed.
struct LoopTurn {
  std::uint32_t turns = 1;
  std::uint64_t items = 0;         ///< of all lanes, counted once
  double wall_us = 0;              ///< from before the first start until the last result is checked
  double span_us = 0;              ///< on the device, from the first start to the last end
  double busy_us = 0;              ///< part of it with an item on the device
  std::optional<double> cpu_us;    ///< the process's; absent if not modelled
  double clock_error_us = 0;       ///< largest error of all of told_us
  std::vector<double> told_us;     ///< of sampled items: from the end until the host knew
  std::vector<double> restart_us;  ///< of sampled restarts: from an item's end to the next start
  std::optional<std::uint32_t> process = {};  ///< of several, from 0; absent if there was one
};
BOOST_DESCRIBE_STRUCT(LoopTurn, (),
                      (turns, items, wall_us, span_us, busy_us, cpu_us, clock_error_us, told_us,
                       restart_us, process))
TRILANE_RANGES(LoopTurn, Within<&R::told_us, &R::restart_us>{either_way_us})

/// One notification with one resubmission.
struct LoopMeasurement {
  std::string teller;
  Resubmission resubmission = Resubmission::streams;
  LoopStatus status = LoopStatus::ok;
  std::string reason{};
  std::uint64_t checked = 0;        ///< items found right, including the warm-up
  std::uint32_t sampled_every = 1;  ///< told_us and restart_us are of every n-th of their items
  std::vector<LoopTurn> turns{};
};
BOOST_DESCRIBE_STRUCT(LoopMeasurement, (),
                      (teller, resubmission, status, reason, checked, sampled_every, turns))
TRILANE_RANGES(LoopMeasurement, Within<&R::reason>{text_range})

/// One loop, with all compared contenders.
struct LoopComparison {
  Loop loop;
  std::vector<LoopMeasurement> measurements;
};
BOOST_DESCRIBE_STRUCT(LoopComparison, (), (loop, measurements))

/// Throws a Misfit unless an option could ask for its lanes and sizes.
void cross_check(const Loop& loop);

/// Throw a Misfit unless samples are at most as many as items, rates finite, nothing duplicated.
void cross_check(const LoopTurn& turn);
void cross_check(const LoopMeasurement& measurement);
void cross_check(const LoopComparison& comparison);

/// All loops of one run.
struct LoopResults {
  Context context;
  std::uint64_t seed = 1;
  std::vector<LoopComparison> loops;
};
BOOST_DESCRIBE_STRUCT(LoopResults, (), (context, seed, loops))

/// The most turn records that a measurement keeps. Half as many are enough for an interval.
inline constexpr std::size_t most_turns = 500;
/// The most items of a measurement with individual times, and the most restarts. Half as many leave
/// 20 beyond the 99% quantile. For the total of a file see most_json_values.
inline constexpr std::size_t most_samples = 4'000;

/// Adds a turn with the times of every item. Beyond `most` records, which is even, neighbours are
/// summed in pairs; items, wall time, the device's times and processor time stay complete. Beyond
/// `most_samples` every second sample is dropped, and later turns are sampled at the same rate.
void add_turn(LoopMeasurement& measurement, LoopTurn turn, std::size_t most = most_turns);

/// Returns every loop with the turns of all processes, numbered from 0 in the order of `all`; loops
/// that an interrupted process did not reach have fewer. If a contender failed in one process, it
/// has failed for that reason. Rounds and context are the first process's. Throws
/// std::invalid_argument without results, or if contenders differ.
LoopResults merged_loops(std::span<const LoopResults> all);

/// Version 2 added the process of a turn, absent otherwise.
inline constexpr Schema loops_schema{"trilane-loops", 1, 2};

/// Rounds the samples to nanoseconds, which keeps files short and consistent with what is shown.
void round_to_nanoseconds(LoopComparison& comparison);

/// Returns a file's text, with every sample. Throws std::invalid_argument on infinite numbers.
std::string to_json(const LoopResults& results);

/// Reads the output of to_json(). Throws std::invalid_argument, with the place, on anything else.
LoopResults loops_from_json(const std::string& text);

}  // namespace trilane
