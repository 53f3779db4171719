#include "common/measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "common/context/context.hpp"
#include "common/exit_code.hpp"
#include "common/gpu/check.hpp"
#include "common/harness/compare.hpp"
#include "common/harness/cuda_bench.hpp"
#include "common/harness/interrupt.hpp"
#include "common/options/output_file.hpp"
#include "common/results/progress.hpp"
#include "common/results/report.hpp"
#include "common/results/results_io.hpp"

namespace trilane {

namespace {

class Run {
 public:
  Run(const Options& options, const std::string& command_line)
      : options_(options),
        json_("--json", options.json, options.force),
        csv_("--csv", options.csv, options.force),
        device_(open_device(options.device)),
        progress_(stderr, options.workloads.size()) {
    ensure_memory(options, device_);
    warm_process(device_.memory_pools);
    results_.context = start_context(device_, command_line);
  }

  int operator()() {
    for (const Workload& workload : options_.workloads) {
      if (interrupted()) break;
      const bool lost = stopped_by_error();
      progress_.start(workload.label());
      results_.comparisons.push_back(lost ? not_run(workload) : measured(workload));
      finish_context(results_.context);
      write(false);
      show(results_.comparisons.back());
    }
    write(true);
    return exit_code();
  }

 private:
  Comparison measured(const Workload& workload) {
    const double seconds = options_.seconds;
    const HarnessListener listener{
        .phase = [this](const std::string& text) { progress_.phase(text); },
        .advance = [&](double fraction) { progress_.advance(fraction * seconds, seconds); },
        .interrupted = [] { return interrupted(); }};
    return compare_variants(workload, options_, device_, listener);
  }

  Comparison not_run(const Workload& workload) const {
    Comparison comparison = planned_comparison(workload, options_, device_);
    for (Measurement& measurement : comparison.measurements) {
      measurement.message = "not run: an earlier error leaves the GPU unusable for this process";
    }
    comparison.stopped = "error";
    comparison.verdict = verdict(comparison);
    return comparison;
  }

  bool stopped_by_error() const {
    return !results_.comparisons.empty() && results_.comparisons.back().stopped == "error" &&
           any_of_last(Status::not_run);
  }

  bool any_of_last(Status status) const {
    return std::ranges::any_of(results_.comparisons.back().measurements,
                               [=](const Measurement& m) { return m.status == status; });
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
    const std::string text = table(comparison) + "\n";
    if (json_.to_stdout() || csv_.to_stdout()) {
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
        wrong |= measurement.status == Status::failed || measurement.status == Status::not_run;
        anything |= measurement.status == Status::ok;
      }
    }
    if (wrong) return exit_wrong;
    return anything ? exit_ok : exit_not_possible;
  }

  const Options& options_;
  const InterruptGuard guard_;
  OutputFile json_, csv_;
  Device device_;
  Progress progress_;
  Results results_;
};

}  // namespace

int measure(const Options& options, const std::string& command_line) try {
  return Run(options, command_line)();
} catch (const CudaError& error) {
  if (error.code() != cudaErrorMemoryAllocation) throw;
  throw NotPossible(fmt::format("not enough memory: {}; choose a smaller --size", error.what()));
}

}  // namespace trilane
