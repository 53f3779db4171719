#include "common/commands/worker.hpp"

#include "common/base/console/interrupt.hpp"
#include "common/device/flavour/flavour.hpp"
#include "common/explain/analysis/verdict/derive.hpp"
#include "common/measure/context/context.hpp"
#include "common/measure/context/host.hpp"
#include "common/measure/gpu/runtime/check.hpp"
#include "common/measure/harness/compare_variants.hpp"
#include "common/measure/harness/measure_alone.hpp"
#include "common/model/results/find.hpp"

namespace trilane {
namespace {

constexpr const char* all_in_this_process =
    "with --processes 1 all variants run in one process, where one may slow another down";

class GpuRun {
 public:
  GpuRun(const RunOptions& options, const std::vector<Refused>& refused,
         const std::string& command_line, Console& console, Seat seat, Results& results)
      : options_(options),
        refused_(refused),
        console_(console),
        seat_(std::move(seat)),
        results_(results),
        others_(others_on_all_gpus()),
        near_(together_ ? stay_near(pci_bus_id_of(options.device.number)) : ""),
        device_(open_device(options.device.number, options.comparison.wait)) {
    const bool at_once = together_ && *together_ != Together::alone;
    if (at_once && device_.one_process && simulated_.empty()) {
      throw NotPossible(
          "GPU {} admits one process, which keeps it out of step with others; run "
          "nvidia-smi -c DEFAULT, or give --together alone",
          options.device.number);
    }
    ensure_memory(options.workloads, options.comparison, device_);
    const std::vector<VariantEntry> variants = contenders(options.comparison);
    const bool of_gpus = together_.has_value();  // each alone as at once
    const bool several = options.comparison.effort == Effort::measure && simulated_.empty() &&
                         (variants.size() > 1 || of_gpus) && !options.comparison.with_itself;
    const bool apart = several && !device_.one_process && (place_.of > 1 || of_gpus);
    if (!apart) warm_process(variants, device_.memory_pools, options.comparison.gpus);
    results_.context = start_context(device_, command_line, simulated_, others_);
    if (!near_.empty()) results_.context.host.emplace_back("cores_near_gpu", near_);
    if (options.outputs.name_node) name_node(results_.context);
    if (apart) {  // later, they would count as other processes on the GPU
      processes_ = seat_.processes;
      if (!processes_) processes_ = &own_processes_.emplace(options, sizes_for(options.workloads));
    }
    if (several && !apart) {
      results_.context.notes.push_back(device_.one_process ? all_in_one_process
                                                           : all_in_this_process);
    }
  }

  ExitCode operator()(std::vector<ComparisonTrace>* traces) {
    if (seat_.number == 0) console_.warn(options_.warnings);
    processes_ ? measure_apart() : measure_here();
    finish_context(results_.context);
    keep();
    if (traces) *traces = trace();
    return exit_code();
  }

 private:
  /// Returns signs of other work on the GPU, or on each over which passes are split. Once the run
  /// has used them, its own work would count.
  std::vector<std::string> others_on_all_gpus() const {
    if (place_.process > 0 || (together_ && *together_ != Together::alone)) return {};
    const auto first = static_cast<std::uint32_t>(options_.device.number);
    std::vector<std::string> all;
    for (const std::uint32_t gpu : options_.comparison.gpus.value_or(std::vector{first})) {
      std::ranges::move(others_before(static_cast<int>(gpu), simulated_), std::back_inserter(all));
    }
    return all;
  }

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
      inputs[i] =
          std::make_unique<SharedInput>(comparison.workload, seed, processes_->host(seat_.number));
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
      // A split pass goes first in half of the processes. Otherwise a preset that loses the GPU
      // must not take the earlier ones with it.
      const bool backwards = options_.comparison.gpus && (seed + variant) % 2 == 1;
      for (std::size_t k = 0; k < workloads.size(); ++k) {
        const std::size_t i = backwards ? workloads.size() - 1 - k : k;
        const Meanwhile others{seat_.company.get(), ++step};
        attempt(i, [&](Comparison& comparison, const HarnessListener& listener) {
          ApartBench bench = processes_->bench(
              i, comparison.workload.rounds, [&] { inputs[i]->draw(); }, seat_.number);
          measure_alone(bench, comparison, variant, seconds, listener, others);
        });
        others.all_took_part(false);  // unless it said so: it may not have been measured
      }
      processes_->end(variant, seat_.number);
    }
    inputs.clear();
    each([&](std::size_t, Comparison& comparison, const HarnessListener& listener) {
      conclude(comparison, listener);
      derive(comparison, simulated_);
    });
    derive_answers(results_);
    keep();
    Meanwhile{seat_.company.get(), step + 1}.begin();
    measure_costs(keeps_context);
    own_processes_.reset();  // before the GPU is checked
    for (std::size_t i = 0; i < workloads.size(); ++i) {
      progress_.start(workloads[i].label());
      done(i);
    }
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
      const auto buffers = std::make_shared<HostBuffers>(processes_->host(seat_.number),
                                                         sizes_for(workload), workload.host_memory);
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
    keep();
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
  std::vector<ComparisonTrace> trace() {
    const auto complain = [this](const std::string& text) {
      console_.complain(text);
      results_.context.notes.push_back(text);
    };
    const std::vector<ComparisonTrace> traces = trace_results(
        results_, options_.comparison,
        {.started =
             [this](const Workload& workload) { progress_.phase("tracing " + workload.label()); },
         .complain = complain,
         .interrupted = interrupted});
    lost_ = lost_ || is_lost();
    if (traces.empty()) complain("no --trace file was written, because nothing was traced");
    finish_context(results_.context);
    return traces;
  }

  void keep() {
    for (Comparison& comparison : results_.comparisons) {
      if (!together_) continue;
      comparison.placement = {.device = static_cast<std::uint32_t>(device_.ordinal),
                              .gpu = device_.name,
                              .pci_bus_id = device_.pci_bus_id,
                              .beside = options_.processes.settings.front().gpus - 1,
                              .one_process = together_ == Together::threads};
    }
    console_.keep();
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

  const RunOptions& options_;
  const std::vector<Refused>& refused_;  // by workload
  Console& console_;
  const Seat seat_;
  Results& results_;
  const std::string simulated_ = simulated_profile();
  const PlaceInRun place_ = place_in_run();
  const std::optional<Together> together_ = options_.processes.settings.front().together;
  const std::vector<std::string> others_;  // before this program's context
  const std::string near_;                 // cores and memory that it keeps to
  Device device_;
  std::optional<VariantProcesses> own_processes_;
  VariantProcesses* processes_ = nullptr;  // of the variants, if they are measured apart
  Progress& progress_ = console_.expect(options_.workloads.size(), seat_.number == 0);
  bool lost_ = false;        // after a sticky error no GPU call can succeed
  bool failed_ = false;      // an error outside the variants ended a workload
  bool impossible_ = false;  // a workload could not be run here
};

}  // namespace

ExitCode run_on_gpu(const RunOptions& options, const std::vector<Refused>& refused,
                    const std::string& command_line, Console& console, Seat seat, Results& results,
                    std::vector<ComparisonTrace>* traces) {
  return GpuRun(options, refused, command_line, console, std::move(seat), results)(traces);
}

}  // namespace trilane
