#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <optional>

#include "common/analysis/derive.hpp"
#include "common/commands/runs/runs.hpp"
#include "common/commands/runs/shown.hpp"
#include "common/commands/runs/tried.hpp"
#include "common/commands/runs/worker.hpp"
#include "common/console/console.hpp"
#include "common/console/interrupt.hpp"
#include "common/context/context.hpp"
#include "common/device/flavour.hpp"
#include "common/gpu/runtime/check.hpp"
#include "common/harness/bench/warm_process.hpp"
#include "common/harness/compare_variants.hpp"
#include "common/harness/contenders.hpp"
#include "common/harness/memory_need.hpp"
#include "common/harness/tracing/tracing.hpp"
#include "common/processes/run_processes.hpp"
#include "common/results/files/results_io.hpp"
#include "common/results/find.hpp"
#include "common/text/exit_code.hpp"

namespace trilane {

namespace {

class Run {
 public:
  Run(const RunOptions& options, std::vector<Refused> refused, const std::string& command_line)
      : options_(options),
        refused_(std::move(refused)),
        console_(
            {{"--json", options.outputs.json,
              [this] { return anything() ? to_json(results_) : ""; }},
             {"--csv", options.outputs.csv, [this] { return anything() ? to_csv(results_) : ""; }},
             {"--trace", options.outputs.trace, [this] { return trace_text(); }}},
            options.outputs.force),
        others_(place_.process > 0 ? std::vector<std::string>{}
                                   : others_before(options.device.number, simulated_)),
        device_(open_device(options.device.number, options.comparison.wait)) {
    ensure_memory(options.workloads, options.comparison, device_);
    const std::vector<VariantEntry> variants = contenders(options.comparison);
    const bool several = options.comparison.effort == Effort::measure && simulated_.empty() &&
                         variants.size() > 1 && !options.comparison.with_itself;
    const bool apart = several && !device_.one_process;
    warm_process(variants, device_.memory_pools);
    results_.context = start_context(device_, command_line, simulated_, others_);
    if (apart) {  // later, or they would be others on the GPU
      BufferSizes sizes;
      for (const Workload& workload : options.workloads) sizes.fit(workload);
      processes_.emplace(options, sizes);
    }
    if (several && !apart) results_.context.notes.push_back(all_in_one_process);
  }

  int operator()() {
    console_.warn(options_.warnings);
    for (std::size_t i = 0; i < options_.workloads.size(); ++i) {
      const Workload& workload = options_.workloads[i];
      if (interrupted()) break;
      progress_.start(workload.label());
      results_.comparisons.push_back(refused_[i].code != exit_ok ? refused(workload, refused_[i])
                                     : lost_                     ? not_run(workload,
                                                                           "an earlier error left the GPU "
                                                                                               "unusable")
                                                                 : measured(i));
      derive_answers(results_);
      progress_.done(ending(results_.comparisons.back()));
      console_.keep();
    }
    processes_.reset();  // before the GPU is looked at, and before anything is traced
    finish_context(results_.context);
    console_.keep();
    if (!options_.outputs.trace.empty()) trace();
    if (options_.outputs.json.empty() && anything()) keep_last_results(results_);
    return worse_of(exit_code(),
                    console_.finish(screen_of(results_, options_.outputs.json, options_.show)));
  }

 private:
  /// A pipeline whose trial failed.
  Comparison refused(const Workload& workload, const Refused& trial) {
    (trial.code == exit_not_possible ? impossible_ : failed_) = true;
    console_.complain(trial.reason);
    return not_run(workload, trial.reason);
  }

  /// An error outside a variant ends only this workload.
  Comparison measured(std::size_t number) try {
    const double seconds = options_.comparison.seconds;
    const HarnessListener listener{
        .phase = [this](const std::string& text) { progress_.phase(in_words(text)); },
        .advance = [&](double fraction) { progress_.advance(fraction * seconds, seconds); },
        .interrupted = interrupted};
    Comparison comparison = compared(number, listener);
    lost_ = comparison.stopped == "lost";
    return comparison;
  } catch (const NotPossible& reason) {
    impossible_ = true;
    return not_run(options_.workloads[number], reason.what());
  } catch (const std::bad_alloc&) {
    impossible_ = true;
    return not_run(options_.workloads[number], "the host's memory ran out");
  } catch (const WrongResult& reason) {  // of a pipeline's own kernels
    lost_ = is_lost();
    failed_ = true;
    return not_run(options_.workloads[number], reason.what());
  } catch (const UsageError& reason) {
    failed_ = true;
    return not_run(options_.workloads[number], reason.what());
  } catch (const CudaError& error) {
    lost_ = is_lost();
    failed_ = true;
    return not_run(options_.workloads[number], error.what());
  } catch (const Interrupted& stop) {
    Comparison comparison = not_run(options_.workloads[number], stop.what());
    comparison.stopped = "interrupted";
    return comparison;
  }

  Comparison compared(std::size_t number, const HarnessListener& listener) {
    const Workload& workload = options_.workloads[number];
    if (!processes_) return compare_variants(workload, options_.comparison, device_, listener);
    const Apart apart = processes_->measuring(number, part_of_run(place_.process, place_.of));
    return compare_variants(workload, options_.comparison, device_, listener, &apart);
  }

  /// Called last, because tracing slows calls down.
  void trace() {
    const auto complain = [this](const std::string& text) {
      console_.complain(text);
      results_.context.notes.push_back(text);
    };
    traces_ = trace_results(
        results_, options_.comparison,
        {.started =
             [this](const Workload& workload) { progress_.phase("tracing " + workload.label()); },
         .complain = complain,
         .interrupted = interrupted});
    lost_ = lost_ || is_lost();
    if (traces_.empty()) complain("no --trace file is written, because nothing was traced");
    finish_context(results_.context);
  }

  std::string trace_text() const {
    return traces_.empty() ? "" : chrome_trace(traces_, results_.context);
  }

  /// Says "simulating" for "measuring" on a simulated device.
  std::string in_words(std::string phase) const {
    constexpr std::string_view measuring = "measuring";
    if (!simulated_.empty() && phase.starts_with(measuring)) {
      phase.replace(0, measuring.size(), "simulating");
    }
    return phase;
  }

  Comparison not_run(const Workload& workload, const std::string& reason) const {
    Comparison comparison = planned_comparison(workload, options_.comparison, device_);
    for (Measurement& measurement : comparison.measurements) {
      if (measurement.status == Status::not_run) measurement.message = "not run: " + reason;
    }
    comparison.stopped = "error";
    derive(comparison, simulated_);
    return comparison;
  }

  /// For a log.
  static std::string ending(const Comparison& comparison) {
    if (is_predicted(comparison)) return comparison.stopped;
    return fmt::format("{:.1f} s of measuring, {}", comparison.seconds, comparison.stopped);
  }

  bool any(Status status) const {
    return std::ranges::any_of(results_.comparisons, [=](const Comparison& comparison) {
      return std::ranges::find(comparison.measurements, status, &Measurement::status) !=
             comparison.measurements.end();
    });
  }

  ExitCode exit_code() const {
    if (interrupted()) return exit_interrupted;
    if (failed_ || lost_ || any(Status::failed)) return exit_wrong;
    const bool all_there = any(Status::ok) && !impossible_ && !any(Status::out_of_memory);
    return all_there ? exit_ok : exit_not_possible;
  }

  /// False if an interrupt came before anything was found: then nothing is written, so that an
  /// earlier run's results are not replaced by none.
  bool anything() const { return !interrupted() || any(Status::ok); }

  const RunOptions& options_;
  const std::vector<Refused> refused_;  // by workload
  const std::string simulated_ = simulated_profile();
  const InterruptGuard guard_;
  Console console_;
  const PlaceInRun place_ = place_in_run();
  const std::vector<std::string> others_;  // before this program's context
  Device device_;
  std::optional<VariantProcesses> processes_;  // of the variants, if they are measured apart
  Progress& progress_ = console_.expect(options_.workloads.size());
  Results results_;
  std::vector<ComparisonTrace> traces_;
  bool lost_ = false;        // after a sticky error no GPU call can succeed
  bool failed_ = false;      // an error that was no variant's ended a workload
  bool impossible_ = false;  // a workload could not be run here
};

}  // namespace

int measure(const RunOptions& options, const std::string& command_line) {
  return Run(options, tried(options), command_line)();
}

}  // namespace trilane
