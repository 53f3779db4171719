#include "common/base/console/interrupt.hpp"
#include "common/commands/runs.hpp"
#include "common/commands/shown.hpp"
#include "common/commands/worker.hpp"
#include "common/device/flavour/flavour.hpp"
#include "common/measure/context/context.hpp"
#include "common/measure/gpu/runtime/check.hpp"
#include "common/measure/harness/cuda_bench.hpp"
#include "common/measure/sweep/conclude.hpp"
#include "common/measure/sweep/map/regimes.hpp"
#include "common/measure/sweep/sweep_file.hpp"
#include "common/measure/sweep/visit.hpp"

namespace trilane {
namespace {

/// Shows the progress of a sweep: counts the cells that await their first visit, then the next.
class VisitProgress {
 public:
  /// `map` and `console` must outlive it.
  VisitProgress(const RegimeMap& map, Console& console) : map_(map), console_(console) {}

  /// Starts showing the visit.
  void start(const Visit& visit) {
    const Cell& cell = map_.cells[visit.position];
    if (announced_ == 0) {
      announced_ =
          static_cast<std::size_t>(std::ranges::count_if(map_.cells, [&](const Cell& other) {
            return visits_left(map_, other) > 0 && other.visits == cell.visits;
          }));
      shown_ = &console_.expect(announced_);
    }
    --announced_;
    seconds_ = visit.seconds;
    const std::string process =
        map_.processes > 1 ? fmt::format(", process {} of {}", cell.visits + 1, map_.processes)
                           : "";
    shown_->start(place_text(map_, cell) + process);
  }

  /// Shows the elapsed share of the visit's time, from 0 to 1.
  void advance(double part) { shown_->advance(part * seconds_, seconds_); }

  /// Ends the visit, with this result.
  void done(const Cell& cell) {
    shown_->done(cell.status == Status::ok ? fmt::format("{}, {}", cell.winner, cell.stopped)
                                           : cell.reason);
  }

 private:
  const RegimeMap& map_;
  Console& console_;
  Progress* shown_ = nullptr;
  std::size_t announced_ = 0;  // visits left in the current count
  double seconds_ = 0;
};

class SweepRun {
 public:
  SweepRun(const RunOptions& options, const SweepRequest& request, const std::string& command_line)
      : options_(options),
        request_(request),
        lock_(options.outputs.json),
        begun_(options.outputs.force ? std::nullopt : begun_map(options.outputs.json)),
        console_({{"--json", options.outputs.json, [this] { return content(); }}},
                 options.outputs.force || begun_.has_value()),
        device_(open_device(options.device.number, options.comparison.wait)),
        apart_(simulated_profile().empty() && !device_.one_process && options.processes.count > 1),
        map_(started(command_line)),
        visitor_(options.comparison, device_, map_) {
    plan_cells(map_, request_, options.comparison, device_);
  }

  int operator()() {
    console_.warn(options_.warnings);
    if (device_.one_process) console_.warn({all_in_one_process});
    warm_process(contenders(options_.comparison), device_.memory_pools);
    visit_cells();
    processes_.reset();  // before the GPU is checked
    finish_context(map_.context);
    find_regimes(map_);
    const ExitCode written = console_.finish(shown(sweep_page(map_), options_.show));
    if (!loss_.empty()) console_.complain(loss_);
    return worse_of(outcome(), written);
  }

 private:
  RegimeMap started(const std::string& command_line) {
    const std::vector<VariantEntry> entries = contenders(options_.comparison);
    const auto tier = [this](const VariantEntry& entry) {
      return tier_of(entry.plan(request_.base).model);
    };
    RegimeMap map = empty_map(request_, names_of(entries), transformed(entries, tier));
    map.context = start_context(device_, command_line, simulated_profile());
    map.reference = options_.comparison.reference;
    map.mode = options_.comparison.mode;
    map.seed = options_.comparison.seed;
    if (begun_) {
      ensure_same(*begun_, map, options_.outputs.json);
      ensure_cells_fit(*begun_, request_, options_.outputs.json);
      map = std::move(*begun_);
    }
    map.processes = apart_ ? options_.processes.count : 1;
    map.seconds_allowed = options_.comparison.seconds;
    return map;
  }

  void visit_cells() {
    while (const auto visit = next()) {
      run(*visit);
      console_.keep();
      try {
        lock_.follow();
      } catch (const OutputError& taken) {
        taken_ = taken;
        return;
      }
    }
  }

  std::string content() const {
    if (taken_) throw *taken_;
    lock_.check();
    return anything() ? to_json(map_) : "";
  }

  std::optional<Visit> next() {
    if (interrupted() || !loss_.empty()) return std::nullopt;
    const auto visit = next_visit(map_);
    map_.finished = !visit;
    return visit;
  }

  void run(const Visit& visit) {
    Cell& cell = map_.cells[visit.position];
    progress_.start(visit);
    const Cell before = cell;
    const double start = now_us();
    const bool ended = attempt(cell, [&] {
      Cell found = visited(before, visit);
      if (!interrupted()) cell = std::move(found);
    });
    if (!ended || visitor_.failed()) processes_.reset();  // the next cell gets fresh ones
    if (ended ? visitor_.lost() : is_lost()) lose(cell, before);
    if (interrupted()) return;
    map_.seconds += (now_us() - start) / 1e6;
    progress_.done(cell);
  }

  /// Starts fresh processes when the first cell gets another visit.
  Cell visited(const Cell& before, const Visit& visit) {
    if (!apart_) return visitor_.visit(before, visit.seconds, listener_);
    if (!processes_ || measured_before_ != before.visits) {
      processes_.reset();
      processes_.emplace(options_, buffer_sizes(map_));
      measured_before_ = before.visits;
    }
    const auto open = [&](const Workload& found, std::function<void()> draw_input) {
      return std::make_unique<ApartBench>(
          processes_->bench(visit.position, found.rounds, std::move(draw_input)));
    };
    const Apart apart{processes_->host(), open};
    return visitor_.visit(before, visit.seconds, listener_, &apart);
  }

  void lose(Cell& cell, const Cell& before) {
    loss_ = loss_text(map_, cell, console_.has_files());
    if (before.status == Status::ok) cell = before;
  }

  /// Returns false if an interrupt came before any cell was measured: then nothing is written, so
  /// that an earlier map is not overwritten by an empty one.
  bool anything() const {
    return !interrupted() || std::ranges::any_of(map_.cells, [](const Cell& cell) {
      return cell.status == Status::ok;
    });
  }

  ExitCode outcome() const {
    if (interrupted()) return exit_interrupted;
    return loss_.empty() ? exit_code_of(map_) : exit_wrong;
  }

  const RunOptions& options_;
  const SweepRequest& request_;
  const InterruptGuard guard_;
  FileLock lock_;
  std::optional<OutputError> taken_;  // by another sweep
  std::optional<RegimeMap> begun_;
  Console console_;
  Device device_;
  const bool apart_;  // true if variants have processes of their own
  RegimeMap map_;
  std::optional<VariantProcesses> processes_;  // those of the latest visit
  std::uint32_t measured_before_ = 0;          // earlier visits of its cell
  VisitProgress progress_{map_, console_};
  const HarnessListener listener_{.advance = [this](double part) { progress_.advance(part); },
                                  .interrupted = interrupted};
  Visitor visitor_;
  std::string loss_;  // the error that left the GPU unusable; empty without one
};

int sweep(const Given& given, const Caller& caller) {
  RunOptions options = read_sweep_run(given, caller);
  const SweepRequest request = read_sweep(given);
  check_read(given, options);
  if (const auto place = worker_place()) {
    const auto columns = static_cast<std::uint32_t>(request.columns.values.size());
    return serve_variant(options, *place, [&](std::uint32_t position) {
      return point_at(request, position % columns, position / columns).workload;
    });
  }
  start_device(options.device, options.comparison.seed);
  RunOptions trial = options;
  trial.workloads = {request.base};
  trial.pipeline_knobs.clear();  // the base has not turned them
  ensure_run(trial);
  return SweepRun(options, request, caller.line)();
}

}  // namespace

Command sweep_command() {
  return {
      .name = "sweep",
      .operands = {"KNOB=VALUES [KNOB=VALUES]", 1, 2, Value::knob},
      .summary = "find the best value of one knob, or map two knobs",
      .about =
          "With one knob, measures every variant at every value and says where each is fastest, "
          "how flat that optimum is, and whether it lies at an end of the range. KNOB is chunks, "
          "chunk-size, result-size, lanes, depth, rounds, kernel-time, size or stride. VALUES are "
          "4K..8M:12 (twelve in equal ratios), 2..256 (by doubling) or 1,2,4. To resume an "
          "interrupted sweep, run the same command with the same --json file.",
      .examples = {"sweep chunks=1..128 --size 1G",
                   "sweep chunk-size=4K..8M chunks=2..256 --json map.json"},
      .groups =
          {{"What to run",
            {option::preset, option::pipeline, option::kernel, option::main_variants, option::tier,
             option::reference, option::device}},
           knob_group(),
           {"The ways to run it", {option::host_memory, option::pools, option::wait}},
           {"How to measure",
            {option::mode,
             {"time", "TIME",
              "total time: all processes, set-up and checks (default: 1min; for a map: 5min)"},
             {"processes", "N",
              "measure every value or cell N times, each time in fresh processes (default: 5; "
              "simulated: 1); intervals cover their differences"},
             option::kernel_limit,
             option::seed}},
           {"Output",
            {{"json", "FILE", "all figures; after an interrupt the same command resumes from them",
              Value::file},
             option::markdown,
             option::force}}},
      .run = sweep};
}

}  // namespace trilane
