#include "common/commands/options/command_line.hpp"
#include "common/commands/saved_experiments.hpp"
#include "common/commands/shown.hpp"
#include "common/measure/loop/measure_loops.hpp"
#include "common/measure/loop/results/loop_verdict.hpp"
#include "common/measure/processes/run_processes.hpp"
#include "common/model/workload/knobs.hpp"

namespace trilane {
namespace {

constexpr double longest_item_us = 100e3;
/// A file holds all samples of this many, see most_samples and most_json_values.
constexpr std::size_t most_combinations = 24;

/// Returns different times; with `or_none` one of them may be "none".
std::vector<double> parse_times(const std::string& option, const std::string& text, bool or_none) {
  std::vector<double> times;
  for (const std::string& part : split(text, ',')) {
    const bool none = or_none && part == "none";
    times.push_back(none ? 0 : parse_time_us(option, part, 0, longest_item_us));
    if (std::ranges::count(times, times.back()) > 1) {
      refuse(option, part, "is given more than once; leave one out");
    }
  }
  return times;
}

/// Returns each named loop, all by default, with each kernel time and each analysis time. Throws
/// UsageError for an invalid name or time, and for too many combinations.
std::vector<Loop> chosen_loops(const Given& given) {
  const auto kernels = given.read("kernel-time", parse_times, false);
  const auto analyses = given.read("analysis-time", parse_times, true);
  const std::vector<Loop> named = given.named_by_operands("loop", loop_presets());
  std::vector<Loop> all;
  for (Loop loop : named.empty() ? loop_presets() : named) {
    loop.lanes = given.count<std::uint32_t>("lanes", 1, max_lanes).value_or(loop.lanes);
    for (const double kernel_us : kernels.value_or(std::vector{loop.kernel_us})) {
      for (const double analysis_us : analyses.value_or(std::vector{loop.analysis_us})) {
        loop.kernel_us = kernel_us;
        loop.analysis_us = analysis_us;
        all.push_back(loop);
      }
    }
  }
  if (all.size() > most_combinations) {
    throw UsageError(
        "{} combinations of loop, kernel time and analysis time are more than {}; name fewer",
        all.size(), most_combinations);
  }
  return all;
}

constexpr double day_in_us = 24 * 3600e6;

/// Processes that measure the same share turns and records, to take and keep as much as one.
LoopSettings loop_settings(const Given& given) {
  constexpr std::uint32_t fewest_of_process = 2;
  LoopSettings settings{.notifications = given.named("teller", notifications())};
  RoundSettings& rounds = settings.rounds;
  rounds.seed = given.count<std::uint64_t>("seed", 0, UINT64_MAX).value_or(rounds.seed);
  if (const auto us = given.time_us("time", day_in_us)) rounds.seconds = *us / 1e6;
  settings.turn.items = given.count<std::uint32_t>("items", 1, 1000);
  settings.turn.simulated = !simulated_profile().empty();
  if (settings.turn.simulated) {  // rounds differ only in the order of operations
    rounds.seconds = 0;
    rounds.fewest = 20;
  }
  const std::uint32_t processes = place_in_run().of;
  rounds.share(processes, fewest_of_process);
  settings.most_records = std::max<std::size_t>(settings.most_records / processes / 2, 1) * 2;
  settings.turn.interrupted = interrupted;
  return settings;
}

bool any_failed(const LoopResults& results) {
  const auto fails = [](const LoopMeasurement& m) {
    return m.status == LoopStatus::failed || m.status == LoopStatus::not_run;
  };
  return std::ranges::any_of(results.loops, [&](const LoopComparison& comparison) {
    return std::ranges::any_of(comparison.measurements, fails);
  });
}

ExitCode finish(const LoopResults& results, LoopDetail detail, const ShowOptions& show,
                Console& console) {
  const ExitCode measured = interrupted()         ? exit_interrupted
                            : any_failed(results) ? exit_wrong
                                                  : exit_ok;
  return worse_of(measured, console.finish(shown(loops_page(results, detail), show)));
}

void measure_all(const std::vector<Loop>& loops, const LoopSettings& settings, LoopResults& results,
                 Console& console) {
  Progress& progress = console.expect(loops.size());
  for (const Loop& one : loops) {
    if (interrupted()) break;
    progress.start(one.name + ", " + times_of(one));
    results.loops.push_back(measure_loops(one, settings));
    round_to_nanoseconds(results.loops.back());
    progress.done(checked_words(std::array{&results.loops.back()}));
    console.keep();
  }
}

int loop(const Given& given, const Caller& caller) {
  const std::vector<Loop> loops = chosen_loops(given);
  const ShowOptions show = read_show(given);
  const LoopDetail detail = given.has("all") ? LoopDetail::tables : LoopDetail::map;
  const DeviceOptions device_options = read_device(given);
  const LoopSettings settings = loop_settings(given);
  LoopResults results;
  return run_experiments<LoopResults>(
      given, caller, device_options, results,
      {.command = "loop",
       .parts = loops.size(),
       .rounds = settings.rounds,
       .read = loops_from_json,
       .merge = merged_loops,
       .text = [&] { return results.loops.empty() ? "" : to_json(results); },
       .measure = [&](Console& console) { measure_all(loops, settings, results, console); },
       .finish = [&](Console& console) { return finish(results, detail, show, console); }});
}

}  // namespace

Command loop_command() {
  return {
      .name = "loop",
      .operands = {"[LOOP...]", 0, 100},
      .summary = "compare ways to notify the host that a lane is done",
      .about =
          "Each lane gets new work as soon as the host has checked every byte of its result. "
          "Loops: pair (2 lanes, kernels of 1 ms), swarm (8 lanes, 50 us); default: both.",
      .examples = {"loop", "loop pair --time 5min --json loop.json",
                   "loop swarm --kernel-time 10us,50us,1ms --analysis-time none,50us"},
      .groups = {{"What to run",
                  {{"teller", "NAME,...", "ways to notify the host (default: all)"},
                   {"analysis-time", "TIME,...",
                    "the host's work on each result, in addition to checking it (default: none)"},
                   {"kernel-time", "TIME,...",
                    "length of a lane's kernel; several values of either time make a map"},
                   {"lanes", "N", "how many lanes"},
                   option::device}},
                 {"How to measure",
                  {{"items", "N", "items of each lane per turn (default: 10 to 100, about 20 ms)"},
                   {"time", "TIME", "measuring time per loop (default: 5s)"},
                   option::fresh_processes,
                   {"seed", "N", "seed of the parameters and the order of turns (default: 1)"}}},
                 {"Output",
                  {{"all", "", "with a map, also print the table of each combination", Value::none},
                   option::json,
                   option::markdown,
                   option::force}}},
      .run = loop};
}

}  // namespace trilane
