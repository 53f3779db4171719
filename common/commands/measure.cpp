#include "common/commands/ending.hpp"
#include "common/commands/shown.hpp"
#include "common/commands/worker.hpp"
#include "common/device/flavour/flavour.hpp"
#include "common/explain/analysis/verdict/derive.hpp"
#include "common/measure/gpu/runtime/device.hpp"
#include "common/measure/harness/host_buffers.hpp"
#include "common/measure/rounds/harness.hpp"
#include "common/model/results/find.hpp"
#include "common/model/results/results_io.hpp"

namespace trilane {
namespace {

class Run {
 public:
  Run(const RunOptions& options, std::vector<Refused> refused, const std::string& command_line)
      : options_(options),
        refused_(std::move(refused)),
        command_line_(command_line),
        console_(
            {{"--json", options.outputs.json,
              [this] { return anything() ? to_json(results_) : ""; }},
             {"--csv", options.outputs.csv, [this] { return anything() ? to_csv(results_) : ""; }},
             {"--trace", options.outputs.trace,
              [this] { return traces_.empty() ? "" : chrome_trace(traces_, results_.context); }}},
            options.outputs.force) {}

  int operator()() {
    const ExitCode code =
        setting().together == Together::threads ? measure_together() : measure_one();
    if (options_.outputs.json.empty() && anything()) keep_last_results(results_);
    return worse_of(code,
                    console_.finish(screen_of(results_, options_.outputs.json, options_.show)));
  }

 private:
  const Setting& setting() const { return options_.processes.settings.front(); }
  const std::vector<int>& devices() const { return setting().devices; }

  ExitCode measure_one() {
    return run_on_gpu(options_, refused_, command_line_, console_,
                      {.company = company_of_process()}, results_,
                      options_.outputs.trace.empty() ? nullptr : &traces_);
  }

  /// Measures all GPUs at once in this process, with a host thread for each. If one cannot be
  /// measured, the times of the others are not of all at once, and do not count.
  ExitCode measure_together() {
    const auto count = static_cast<std::uint32_t>(devices().size());
    Company company(count);
    std::optional<VariantProcesses> processes;
    const bool apart = simulated_profile().empty() && options_.comparison.effort == Effort::measure;
    if (apart) processes.emplace(options_, sizes_for(options_.workloads), count);
    HostThreads at_once(count, true);
    std::vector<OnThread> all(count);
    {
      std::vector<std::jthread> threads;
      for (std::uint32_t i = 0; i < count; ++i) {
        threads.emplace_back([&, i] {
          const HostThread self(at_once, i);
          measure_on(all[i], {.number = i,
                              .company = std::make_unique<Company>(company.file(), count, i),
                              .processes = processes ? &*processes : nullptr});
          company.leaves(i);
          if (processes) processes->leave(i);  // contexts would stay beside the others
        });
      }
    }
    return join(all);
  }

  /// The results of a host thread.
  struct OnThread {
    Results results;
    ExitCode code = exit_wrong;
    std::exception_ptr error;  ///< of its GPU, if it was not measured
  };

  void measure_on(OnThread& one, Seat seat) try {
    share_process();
    RunOptions own = options_;
    own.device.number = devices()[seat.number];
    Console quiet;  // the results of all are written together
    one.code = run_on_gpu(own, refused_, command_line_, quiet, std::move(seat), one.results);
  } catch (const Interrupted&) {
    one.code = exit_interrupted;
  } catch (...) {
    one.error = std::current_exception();
    one.code = ending_of(one.error).code;
  }

  ExitCode join(std::vector<OnThread>& all) {
    ExitCode worst = exit_ok;
    std::vector<Results> measured;
    std::vector<std::string> notes;
    for (std::size_t i = 0; i < all.size(); ++i) {
      worst = worse_of(worst, all[i].code);
      if (!all[i].error) {
        measured.push_back(std::move(all[i].results));
        continue;
      }
      notes.push_back(
          fmt::format("GPU {} was not measured at once with the others in one process: "
                      "{}",
                      devices()[i], failure_of(all[i].error).second));
      console_.complain(notes.back());
    }
    if (measured.empty()) std::rethrow_exception(all.front().error);
    results_.context = merged_context(measured);
    std::ranges::copy(notes, std::back_inserter(results_.context.notes));
    for (Results& one : measured) {
      std::ranges::move(one.comparisons, std::back_inserter(results_.comparisons));
    }
    derive_answers(results_);
    return worst;
  }

  /// Returns false if an interrupt came before anything was found: then nothing is written, so that
  /// an earlier run's results are not overwritten by empty ones.
  bool anything() const {
    return !interrupted() ||
           std::ranges::any_of(results_.comparisons, std::bind_front(any_with, Status::ok));
  }

  const RunOptions& options_;
  const std::vector<Refused> refused_;  // by workload
  const std::string& command_line_;
  const InterruptGuard guard_;
  Console console_;
  Results results_;
  std::vector<ComparisonTrace> traces_;
};

}  // namespace

int measure(const RunOptions& options, const std::string& command_line) {
  return Run(options, tried(options), command_line)();
}

}  // namespace trilane
