#include <fmt/format.h>
#include <unistd.h>

#include <new>

#include "common/base/console/console.hpp"
#include "common/base/console/interrupt.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/commands/runs.hpp"
#include "common/commands/shown.hpp"
#include "common/commands/worker.hpp"
#include "common/device/flavour/flavour.hpp"
#include "common/explain/analysis/verdict/derive.hpp"
#include "common/measure/context/context.hpp"
#include "common/measure/context/near_gpu.hpp"
#include "common/measure/gpu/runtime/check.hpp"
#include "common/measure/harness/compare_variants.hpp"
#include "common/measure/harness/comparison_settings.hpp"
#include "common/measure/harness/cuda_bench.hpp"
#include "common/measure/harness/host_buffers.hpp"
#include "common/measure/harness/measure_alone.hpp"
#include "common/measure/harness/memory_need.hpp"
#include "common/measure/harness/tracing.hpp"
#include "common/measure/processes/run_processes.hpp"
#include "common/model/results/find.hpp"
#include "common/model/results/results_io.hpp"

namespace trilane {
namespace {

constexpr const char* all_in_this_process =
    "with --processes 1 all variants run in one process, where one may slow another down";

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
        near_(stays_near_gpu() ? stay_near(pci_bus_id_of(options.device.number)) : ""),
        device_(open_device(options.device.number, options.comparison.wait)) {
    ensure_memory(options.workloads, options.comparison, device_);
    const std::vector<VariantEntry> variants = contenders(options.comparison);
    const bool of_gpus = stays_near_gpu();  // each alone as at once
    const bool several = options.comparison.effort == Effort::measure && simulated_.empty() &&
                         (variants.size() > 1 || of_gpus) && !options.comparison.with_itself;
    const bool apart = several && !device_.one_process && (place_.of > 1 || of_gpus);
    if (!apart) warm_process(variants, device_.memory_pools, options.comparison.gpus);
    results_.context = start_context(device_, command_line, simulated_, others_);
    if (!near_.empty()) results_.context.host.emplace_back("cores_near_gpu", near_);
    if (options.outputs.name_node) name_node(results_.context);
    if (apart) {  // later, they would count as other processes on the GPU
      BufferSizes sizes;
      for (const Workload& workload : options.workloads) sizes.fit(workload);
      processes_.emplace(options, sizes);
    }
    if (several && !apart) {
      results_.context.notes.push_back(device_.one_process ? all_in_one_process
                                                           : all_in_this_process);
    }
  }

  int operator()() {
    console_.warn(options_.warnings);
    processes_ ? measure_apart() : measure_here();
    finish_context(results_.context);
    console_.keep();
    if (!options_.outputs.trace.empty()) trace();
    if (options_.outputs.json.empty() && anything()) keep_last_results(results_);
    return worse_of(exit_code(),
                    console_.finish(screen_of(results_, options_.outputs.json, options_.show)));
  }

 private:
  void measure_here() {
    for (std::size_t i = 0; i < options_.workloads.size() && !interrupted(); ++i) {
      progress_.start(options_.workloads[i].label());
      results_.comparisons.emplace_back();
      attempt(i, [&](Comparison& comparison, const HarnessListener& listener) {
        comparison =
            compare_variants(options_.workloads[i], options_.comparison, device_, listener);
      });
      done(i);
    }
  }

  /// A variant's process has the GPU to itself: contexts beside it, even idle ones, slow it down
  /// (common/measure/harness/README.md).
  void measure_apart() {
    const std::vector<Workload>& workloads = options_.workloads;
    const std::uint64_t seed = options_.comparison.seed;
    const auto each = [&](auto action) {
      for (std::size_t i = 0; i < workloads.size(); ++i) {
        attempt(i, [&](Comparison& comparison, const HarnessListener& listener) {
          action(i, comparison, listener);
        });
      }
    };
    results_.comparisons.resize(workloads.size());
    std::vector<std::unique_ptr<SharedInput>> inputs(workloads.size());
    each([&](std::size_t i, Comparison& comparison, const HarnessListener& listener) {
      comparison = ready_comparison(workloads[i], options_.comparison, device_, listener);
      ensure_reference(comparison.workload);
      inputs[i] = std::make_unique<SharedInput>(comparison.workload, seed, processes_->host());
    });
    bool keeps_context = false;  // for a pipeline's own kernels, which compute the expected output
    for (std::size_t i = 0; i < workloads.size(); ++i) {
      keeps_context = keeps_context || (inputs[i] && workloads[i].pipeline);
    }
    if (!keeps_context) close_device();
    const std::vector<std::size_t> order = order_of(results_.comparisons.front());
    const double seconds = options_.comparison.seconds / static_cast<double>(order.size());
    std::uint64_t step = 0;
    for (const std::size_t variant : order) {
      each([&](std::size_t i, Comparison& comparison, const HarnessListener& listener) {
        ApartBench bench =
            processes_->bench(i, comparison.workload.rounds, [&] { inputs[i]->draw(); });
        measure_alone(bench, comparison, variant, seconds, listener, meanwhile(step + i + 1));
      });
      processes_->end(variant);
      step += workloads.size();
    }
    inputs.clear();
    each([&](std::size_t, Comparison& comparison, const HarnessListener& listener) {
      conclude(comparison, listener);
      derive(comparison, simulated_);
    });
    derive_answers(results_);
    console_.keep();
    meanwhile(step + 1).begin();
    measure_costs(keeps_context);
    processes_.reset();  // before the GPU is checked
    for (std::size_t i = 0; i < workloads.size(); ++i) {
      progress_.start(workloads[i].label());
      done(i);
    }
  }

  /// Returns what the other GPUs of this run do during a step, which has a number of its own.
  Meanwhile meanwhile(std::uint64_t step) {
    if (!company_) return {};
    constexpr useconds_t pause_us = 50;
    return {.begin =
                [this, step] {
                  company_->begin(step, [] {
                    if (interrupted()) throw Interrupted();
                    usleep(pause_us);
                  });
                },
            .complete = [this, step] { company_->complete(step); },
            .others_work = [this, step] { return company_->others_work(step); }};
  }

  /// Measures the limits and set-ups, in this process. Whatever fails, earlier measurements stay.
  void measure_costs(bool has_context) try {
    if (interrupted()) return;
    if (!has_context) open_device(options_.device.number, options_.comparison.wait);
    warm_process(contenders(options_.comparison), device_.memory_pools, options_.comparison.gpus);
    const RunPart part = part_of_run(place_.process, place_.of);
    const HarnessListener listener{.interrupted = interrupted};
    for (Comparison& comparison : results_.comparisons) {
      if (comparison.stopped != "time") continue;
      const Workload& workload = comparison.workload;
      const auto buffers = std::make_shared<HostBuffers>(processes_->host(), sizes_for(workload),
                                                         workload.host_memory);
      CudaBench own(workload, contenders(options_.comparison), options_.comparison.seed, buffers);
      own.new_input();
      add_costs(comparison, own, options_.comparison, part, listener);
      derive(comparison, simulated_);
      lost_ = comparison.stopped == "lost";
      if (lost_) return;
    }
  } catch (const Interrupted&) {
  } catch (const std::exception& error) {
    results_.context.notes.push_back(
        fmt::format("some limits and set-ups were not measured: {}", error.what()));
  }

  void done(std::size_t number) {
    derive_answers(results_);
    progress_.done(ending(results_.comparisons[number]));
    console_.keep();
  }

  /// Runs the action on the comparison of a workload, unless that has ended. An error outside a
  /// variant ends only this workload.
  template <typename Action>
  void attempt(std::size_t number, Action action) {
    const Workload& workload = options_.workloads[number];
    Comparison& comparison = results_.comparisons[number];
    if (!comparison.stopped.empty()) return;
    const auto ends = [&](bool& cause, const std::string& why) {
      cause = true;
      comparison = not_run(workload, why);
    };
    if (const Refused& trial = refused_[number]; trial.code != exit_ok) {
      console_.complain(trial.reason);
      return ends(trial.code == exit_not_possible ? impossible_ : failed_, trial.reason);
    }
    if (lost_) return ends(lost_, "an earlier error left the GPU unusable");
    const double seconds = options_.comparison.seconds;
    const HarnessListener listener{
        .phase = [this](const std::string& text) { progress_.phase(in_words(text)); },
        .advance = [&](double fraction) { progress_.advance(fraction * seconds, seconds); },
        .interrupted = interrupted};
    try {
      action(comparison, listener);
      lost_ = comparison.stopped == "lost";
    } catch (const NotPossible& reason) {
      ends(impossible_, reason.what());
    } catch (const std::bad_alloc&) {
      ends(impossible_, "the host ran out of memory");
    } catch (const WrongResult& reason) {  // of a pipeline's own kernels
      lost_ = is_lost();
      ends(failed_, reason.what());
    } catch (const UsageError& reason) {
      ends(failed_, reason.what());
    } catch (const CudaError& error) {
      lost_ = is_lost();
      ends(failed_, error.what());
    } catch (const Interrupted& stop) {
      comparison = not_run(workload, stop.what());
      comparison.stopped = "interrupted";
    }
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
    if (traces_.empty()) complain("no --trace file was written, because nothing was traced");
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

  /// Returns the ending for a log.
  static std::string ending(const Comparison& comparison) {
    if (is_predicted(comparison)) return comparison.stopped;
    return fmt::format("{:.1f} s of measuring, {}", comparison.seconds, comparison.stopped);
  }

  bool any(Status status) const {
    return std::ranges::any_of(results_.comparisons, std::bind_front(any_with, status));
  }

  ExitCode exit_code() const {
    if (interrupted()) return exit_interrupted;
    if (failed_ || lost_ || any(Status::failed)) return exit_wrong;
    const bool all_there = any(Status::ok) && !impossible_ && !any(Status::out_of_memory);
    return all_there ? exit_ok : exit_not_possible;
  }

  /// Returns false if an interrupt came before anything was found: then nothing is written, so that
  /// an earlier run's results are not overwritten by empty ones.
  bool anything() const { return !interrupted() || any(Status::ok); }

  const RunOptions& options_;
  const std::vector<Refused> refused_;  // by workload
  const std::string simulated_ = simulated_profile();
  const InterruptGuard guard_;
  Console console_;
  const PlaceInRun place_ = place_in_run();
  const std::unique_ptr<Company> company_ = company_of_process();
  const std::vector<std::string> others_;  // before this program's context
  const std::string near_;                 // cores and memory that it keeps to
  Device device_;
  std::optional<VariantProcesses> processes_;  // of the variants, if they are measured apart
  Progress& progress_ = console_.expect(options_.workloads.size());
  Results results_;
  std::vector<ComparisonTrace> traces_;
  bool lost_ = false;        // after a sticky error no GPU call can succeed
  bool failed_ = false;      // an error outside the variants ended a workload
  bool impossible_ = false;  // a workload could not be run here
};

}  // namespace

int measure(const RunOptions& options, const std::string& command_line) {
  return Run(options, tried(options), command_line)();
}

}  // namespace trilane
