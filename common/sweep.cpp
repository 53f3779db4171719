#include "common/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "common/context/context.hpp"
#include "common/exit_code.hpp"
#include "common/flavour/flavour.hpp"
#include "common/gpu/check.hpp"
#include "common/harness/compare.hpp"
#include "common/harness/contenders.hpp"
#include "common/harness/interrupt.hpp"
#include "common/options/output_file.hpp"
#include "common/results/progress.hpp"
#include "common/sweep/borders.hpp"
#include "common/sweep/resume.hpp"
#include "common/sweep/schedule.hpp"
#include "common/sweep/sweep_io.hpp"
#include "common/sweep/text_map.hpp"
#include "common/sweep/visit.hpp"

namespace trilane {

namespace {

std::vector<std::string> names_of(const std::vector<VariantEntry>& entries) {
  std::vector<std::string> names;
  for (const VariantEntry& entry : entries) names.push_back(entry.name);
  return names;
}

/// Every cell gets its workload, or the reason why it has none that can run here.
void plan_cells(RegimeMap& map, const Options& options, const Device& device) {
  for (Cell& cell : map.cells) {
    if (cell.status != Status::not_run) continue;
    try {
      const SweepPoint point = point_at(*options.sweep, cell.column, cell.row);
      cell.workload = point.workload;
      cell.requested_kernel_us = point.kernel_time_us;
      ensure_memory(cell.workload, options, device);
    } catch (const UsageError& error) {
      cell.status = Status::not_supported;
      cell.reason = error.what();
    } catch (const NotPossible& error) {
      cell.status = Status::not_supported;
      cell.reason = error.what();
    }
  }
}

class Run {
 public:
  Run(const Options& options, const std::string& command_line)
      : options_(options),
        begun_(options.force ? std::nullopt : begun_map(options.json)),
        json_("--json", options.json, options.force || begun_.has_value()),
        device_(open_device(options.device, options.wait)),
        map_(started(command_line)),
        visitor_(options, device_, map_) {
    plan_cells(map_, options, device_);
  }

  int operator()() {
    warm_process(contenders(options_), device_.memory_pools);
    Schedule schedule(map_);
    while (const auto visit = next(schedule)) {
      run(*visit);
      if (json_.enabled() && !json_.to_stdout()) json_.write(to_json(map_));
    }
    finish_context(map_.context);
    find_borders(map_);
    progress_.reset();
    show();
    if (json_.enabled()) json_.write(to_json(map_));
    return exit_code();
  }

 private:
  RegimeMap started(const std::string& command_line) {
    RegimeMap map = empty_map(*options_.sweep, names_of(contenders(options_)));
    map.context = start_context(device_, command_line, simulated_profile());
    map.reference = options_.reference;
    map.mode = options_.mode;
    map.seed = options_.seed;
    if (begun_) {
      ensure_same(*begun_, map, options_.json);
      map = std::move(*begun_);
    }
    map.seconds_allowed = options_.seconds;
    return map;
  }

  std::optional<Visit> next(Schedule& schedule) {
    if (interrupted() || visitor_.lost()) return std::nullopt;
    const auto visit = schedule.next();
    map_.finished = !visit;
    return visit;
  }

  /// What goes wrong outside of a variant is the end of this cell, and the others go on.
  void run(const Visit& visit) {
    Cell& cell = map_.cells[visit.position];
    Progress& progress = progress_for(visit);
    progress.start(place_text(map_, cell));
    const double start = now_us();
    try {
      Cell found = visitor_.visit(cell, visit.seconds, listener(visit.seconds));
      if (interrupted()) return;
      cell = std::move(found);
    } catch (const NotPossible& reason) {
      cell.status = Status::not_supported;
      cell.reason = reason.what();
    } catch (const CudaError& error) {
      const bool memory = error.code() == cudaErrorMemoryAllocation;
      cell.status = memory ? Status::not_supported : Status::failed;
      cell.reason = error.what();
      if (is_lost()) throw;
    }
    map_.seconds += (now_us() - start) / 1e6;
    progress.done(cell.status == Status::ok ? fmt::format("{}, {}", cell.winner, cell.stopped)
                                            : cell.reason);
  }

  /// Counts the cells that wait for their first visit, and then, in turn after turn, those that
  /// are still open.
  Progress& progress_for(const Visit& visit) {
    if (announced_ == 0) {
      const bool first = map_.cells[visit.position].visits == 0;
      announced_ =
          static_cast<std::size_t>(std::ranges::count_if(map_.cells, [&](const Cell& cell) {
            return first ? cell.status == Status::not_run : is_open(cell);
          }));
      progress_.emplace(stderr, announced_);
    }
    --announced_;
    return *progress_;
  }

  HarnessListener listener(double seconds) {
    return {.phase = [](const std::string&) {},
            .advance = [=, this](double part) { progress_->advance(part * seconds, seconds); },
            .interrupted = [] { return interrupted(); }};
  }

  /// Standard output belongs to a file that asked for it.
  void show() {
    const std::string text = map_text(map_);
    if (json_.to_stdout()) {
      std::fputs(text.c_str(), stderr);
    } else {
      write_stdout(text);
    }
  }

  int exit_code() const {
    if (interrupted()) return exit_interrupted;
    const auto failed = [](const Property& entry) { return entry.second.starts_with("failed"); };
    bool anything = false;
    for (const Cell& cell : map_.cells) {
      if (std::ranges::any_of(cell.left_out, failed)) return exit_wrong;
      if (cell.status == Status::failed) return exit_wrong;
      anything |= cell.status == Status::ok;
    }
    return anything ? exit_ok : exit_not_possible;
  }

  const Options& options_;
  const InterruptGuard guard_;
  std::optional<RegimeMap> begun_;
  OutputFile json_;
  Device device_;
  RegimeMap map_;
  std::optional<Progress> progress_;
  std::size_t announced_ = 0;  // visits that progress_ still counts
  Visitor visitor_;
};

}  // namespace

int sweep(const Options& options, const std::string& command_line) {
  return Run(options, command_line)();
}

}  // namespace trilane
