#include "common/commands/measure.hpp"

#include <algorithm>
#include <cstdio>

#include "common/console/interrupt.hpp"
#include "common/console/output_file.hpp"
#include "common/console/progress.hpp"
#include "common/context/context.hpp"
#include "common/device/flavour.hpp"
#include "common/gpu/runtime/check.hpp"
#include "common/harness/bench/warm_process.hpp"
#include "common/harness/compare_variants.hpp"
#include "common/harness/contenders.hpp"
#include "common/harness/tracing/trace_results.hpp"
#include "common/report/report.hpp"
#include "common/report/report_series.hpp"
#include "common/report/report_timeline.hpp"
#include "common/results/files/results_csv.hpp"
#include "common/results/files/results_io.hpp"
#include "common/text/exit_code.hpp"

namespace trilane {

namespace {

class Run {
 public:
  Run(const Options& options, const std::string& command_line)
      : options_(options),
        json_("--json", options.json, options.force),
        csv_("--csv", options.csv, options.force),
        trace_("--trace", options.trace, options.force),
        device_(open_device(options.device, options.wait)),
        progress_(stderr, options.workloads.size()) {
    ensure_memory(options, device_);
    warm_process(contenders(options), device_.memory_pools);
    results_.context = start_context(device_, command_line, simulated_);
  }

  int operator()() {
    for (const Workload& workload : options_.workloads) {
      if (interrupted()) break;
      progress_.start(workload.label());
      results_.comparisons.push_back(
          lost_ ? not_run(workload, "an earlier error left the GPU unusable") : measured(workload));
      finish_context(results_.context);
      show(results_.comparisons.back());
      write(false);
    }
    say(series_section(results_.comparisons, simulated_));
    const auto traces = trace_.enabled() ? traced() : std::vector<ComparisonTrace>{};
    write(true);
    if (!traces.empty()) trace_.write(chrome_trace(traces, results_.context));
    return exit_code();
  }

 private:
  /// What goes wrong outside of a variant ends this workload, and the others go on.
  Comparison measured(const Workload& workload) try {
    const double seconds = options_.seconds;
    const HarnessListener listener{
        .phase = [this](const std::string& text) { progress_.phase(in_words(text)); },
        .advance = [&](double fraction) { progress_.advance(fraction * seconds, seconds); },
        .interrupted = [] { return interrupted(); }};
    Comparison comparison = compare_variants(workload, options_, device_, listener);
    lost_ = comparison.stopped == "lost";
    return comparison;
  } catch (const NotPossible& reason) {
    impossible_ = true;
    return not_run(workload, reason.what());
  } catch (const CudaError& error) {
    lost_ = is_lost();
    impossible_ = error.code() == cudaErrorMemoryAllocation;
    return not_run(workload, error.what());
  }

  /// After all that is measured, for tracing slows calls down.
  std::vector<ComparisonTrace> traced() {
    const auto complain = [this](const std::string& text) {
      std::fputs((text + '\n').c_str(), stderr);
      results_.context.notes.push_back(text);
    };
    std::vector<ComparisonTrace> traces = trace_results(
        results_, options_,
        {.done = [this](const Comparison& c) { say(timeline_section(c, simulated_)); },
         .complain = complain,
         .interrupted = [] { return interrupted(); }});
    lost_ = lost_ || is_lost();
    if (traces.empty()) complain("there is no --trace file, for nothing was traced");
    finish_context(results_.context);
    write(false);
    return traces;
  }

  /// Nothing is measured on a simulated device.
  std::string in_words(std::string phase) const {
    constexpr std::string_view measuring = "measuring";
    if (!simulated_.empty() && phase.starts_with(measuring)) {
      phase.replace(0, measuring.size(), "simulating");
    }
    return phase;
  }

  Comparison not_run(const Workload& workload, const std::string& reason) const {
    Comparison comparison = planned_comparison(workload, options_, device_);
    for (Measurement& measurement : comparison.measurements) {
      if (measurement.status == Status::not_run) measurement.message = "not run: " + reason;
    }
    comparison.stopped = "error";
    comparison.verdict = verdict(comparison, simulated_);
    return comparison;
  }

  /// Files are written after each workload, so that an interrupted run keeps what it had; standard
  /// output, which cannot be written again, at the end.
  void write(bool to_stdout) {
    if (json_.enabled() && json_.to_stdout() == to_stdout) json_.write(to_json(results_));
    if (csv_.enabled() && csv_.to_stdout() == to_stdout) csv_.write(to_csv(results_));
  }

  /// Standard output belongs to a results file that asked for it.
  void show(const Comparison& comparison) {
    progress_.done(comparison.stopped);
    progress_.clear();
    say(table(comparison, simulated_) + "\n");
  }

  void say(const std::string& text) {
    if (json_.to_stdout() || csv_.to_stdout() || trace_.to_stdout()) {
      std::fputs(text.c_str(), stderr);
    } else {
      write_stdout(text);
    }
  }

  int exit_code() const {
    if (interrupted()) return exit_interrupted;
    bool wrong = false, anything = false;
    for (const Comparison& comparison : results_.comparisons) {
      for (const Measurement& measurement : comparison.measurements) {
        wrong |= measurement.status == Status::failed;
        anything |= measurement.status == Status::ok;
      }
    }
    if (wrong || lost_) return exit_wrong;
    return anything && !impossible_ ? exit_ok : exit_not_possible;
  }

  const Options& options_;
  const std::string simulated_ = simulated_profile();
  const InterruptGuard guard_;
  OutputFile json_, csv_, trace_;
  Device device_;
  Progress progress_;
  Results results_;
  bool lost_ = false;        // a sticky error: no call to the GPU can succeed any more
  bool impossible_ = false;  // a workload could not be run here
};

}  // namespace

int measure(const Options& options, const std::string& command_line) {
  return Run(options, command_line)();
}

}  // namespace trilane
