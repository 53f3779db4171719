#include <fmt/format.h>

#include "common/commands/commands.hpp"
#include "common/console/console.hpp"
#include "common/console/interrupt.hpp"
#include "common/context/context.hpp"
#include "common/device/flavour.hpp"
#include "common/gpu/runtime/device.hpp"
#include "common/harness/bench/warm_process.hpp"
#include "common/harness/compare_variants.hpp"
#include "common/harness/contenders.hpp"
#include "common/harness/memory_need.hpp"
#include "common/report/report.hpp"
#include "common/results/files/results_io.hpp"
#include "common/text/exit_code.hpp"

namespace trilane {

namespace {

/// Ends the run, because a failed comparison says nothing about intervals.
void ensure_ok(const Comparison& comparison) {
  for (const Measurement& measurement : comparison.measurements) {
    if (measurement.status == Status::ok) continue;
    const std::string text =
        fmt::format("{} on {}, seed {}: {}", measurement.variant, comparison.workload.label(),
                    comparison.seed, measurement.message);
    if (measurement.status == Status::not_supported) throw NotPossible(text);
    throw std::runtime_error(text);
  }
}

void repeat(const Workload& workload, const Options& options, const Device& device,
            Progress& progress, std::vector<Comparison>& comparisons) {
  const HarnessListener listener{.interrupted = interrupted};
  const auto comparison_count = static_cast<double>(options.repeat);
  progress.start(workload.label());
  ComparisonSettings settings = options.comparison;
  for (std::uint32_t done = 0; done < options.repeat; ++done) {
    settings.seed = options.comparison.seed + done;
    Comparison comparison = compare_variants(workload, settings, device, listener);
    if (interrupted()) return;  // the comparison is incomplete
    ensure_ok(comparison);
    comparisons.push_back(std::move(comparison));
    progress.advance((done + 1) * options.comparison.seconds,
                     comparison_count * options.comparison.seconds);
  }
  progress.done(fmt::format("{} comparisons", options.repeat));
}

}  // namespace

int repeat_aa(const Options& options, const std::string& command_line) {
  const InterruptGuard guard;
  Results results;
  Console console({{"--json", options.json, [&] { return to_json(results); }}}, options.force);
  const Device device = open_device(options.device, options.comparison.wait);
  ensure_memory(options.workloads, options.comparison, device);
  warm_process(contenders(options.comparison), device.memory_pools);
  results.context = start_context(device, command_line, simulated_profile());
  Progress& progress = console.expect(options.workloads.size());
  for (const Workload& workload : options.workloads) {
    if (!interrupted()) repeat(workload, options, device, progress, results.comparisons);
  }
  finish_context(results.context);
  console.say(aa_table(results));
  console.finish();
  return interrupted() ? exit_interrupted : exit_ok;
}

}  // namespace trilane
