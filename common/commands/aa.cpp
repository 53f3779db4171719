#include "common/base/console/interrupt.hpp"
#include "common/commands/runs.hpp"
#include "common/commands/shown.hpp"
#include "common/device/flavour/flavour.hpp"
#include "common/explain/report/report.hpp"
#include "common/measure/context/context.hpp"
#include "common/measure/harness/compare_variants.hpp"
#include "common/model/results/results_io.hpp"

namespace trilane {
namespace {

/// Ends the run, because a failed comparison says nothing about intervals.
void ensure_ok(const Comparison& comparison) {
  for (const Measurement& measurement : comparison.measurements) {
    if (measurement.status == Status::ok) continue;
    const std::string text =
        fmt::format("{} on {}, seed {}: {}", measurement.variant, comparison.workload.label(),
                    comparison.seed, measurement.message);
    if (measurement.status == Status::not_supported ||
        measurement.status == Status::out_of_memory) {
      throw NotPossible(text);
    }
    throw WrongResult(text);
  }
}

void repeat(const Workload& workload, const RunOptions& options, std::uint32_t times,
            const Device& device, Progress& progress, Console& console,
            std::vector<Comparison>& comparisons) {
  const HarnessListener listener{.interrupted = interrupted};
  const auto comparison_count = static_cast<double>(times);
  progress.start(workload.label());
  ComparisonSettings settings = options.comparison;
  for (std::uint32_t done = 0; done < times; ++done) {
    settings.seed = options.comparison.seed + done;
    Comparison comparison = compare_variants(workload, settings, device, listener);
    if (interrupted()) return;  // the comparison is incomplete
    ensure_ok(comparison);
    comparisons.push_back(std::move(comparison));
    console.keep();
    progress.advance((done + 1) * options.comparison.seconds,
                     comparison_count * options.comparison.seconds);
  }
  progress.done(fmt::format("{} comparisons", times));
}

/// Compares the variant with itself `times` times on each workload, each time set up anew and with
/// the next seed. Prints one table, and writes the --json file with every comparison.
int repeat_aa(const RunOptions& options, std::uint32_t times, const std::string& command_line) {
  const InterruptGuard guard;
  Results results;
  Console console({{"--json", options.outputs.json,
                    [&] { return results.comparisons.empty() ? "" : to_json(results); }}},
                  options.outputs.force);
  const Device device = open_device(options.device.number, options.comparison.wait);
  ensure_memory(options.workloads, options.comparison, device);
  warm_process(contenders(options.comparison), device.memory_pools);
  results.context = start_context(device, command_line, simulated_profile());
  console.warn(options.warnings);
  Progress& progress = console.expect(options.workloads.size());
  for (const Workload& workload : options.workloads) {
    if (interrupted()) break;
    repeat(workload, options, times, device, progress, console, results.comparisons);
  }
  finish_context(results.context);
  return worse_of(interrupted() ? exit_interrupted : exit_ok,
                  console.finish(shown(aa_page(results), options.show)));
}

int aa(const Given& given, const Caller& caller) {
  std::uint32_t times = 0;
  RunOptions options = read_aa(given, caller, times);
  check_read(given, options);
  start_device(options.device, options.comparison.seed);
  if (times == 0) return measure_as_asked(options, caller.line);
  ensure_run(options);
  return repeat_aa(options, times, caller.line);
}

}  // namespace

Command aa_command() {
  return {
      .name = "aa",
      .operands = {"VARIANT", 1, 1, Value::variant},
      .summary = "compare a variant with itself, to check the intervals",
      .about =
          "Measures the variant against a copy of itself, VARIANT_again. The true ratio is 1, or "
          "what --slow-down makes it.",
      .examples = {"aa graph --preset launch", "aa streams --preset transfer --repeat 100"},
      .groups = {{"What to run",
                  {option::presets, option::pipelines, option::kernel, option::device}},
                 knob_group(),
                 {"The ways to run it", {option::host_memories, option::pools, option::waits}},
                 {"How to measure",
                  {{"repeat", "N",
                    "run N short comparisons (--time 400ms each) and count the intervals that "
                    "contain the true ratio"},
                   {"slow-down", "PERCENT", "lengthen every pass of VARIANT_again by this much"},
                   option::mode,
                   option::time,
                   option::precision,
                   option::processes,
                   option::kernel_limit,
                   option::seed}},
                 {"Output",
                  {option::json, option::csv, option::quiet, option::markdown, option::force}}},
      .run = aa};
}

}  // namespace trilane
