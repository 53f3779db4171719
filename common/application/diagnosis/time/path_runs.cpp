#include "common/application/diagnosis/time/path_runs.hpp"

#include <algorithm>
#include <cmath>

namespace trilane {

PathRuns::PathRuns(const ApplicationRecording& recording, const IterationSchedule& schedule,
                   const HappensBefore& order)
    : recording_(recording), schedule_(schedule), order_(order) {
  const double first = schedule.repeats() ? -2 : 0;
  for (const OperationRun& run : schedule.runs()) {
    const RecordedEngine engine = engine_of(recording.calls[run.call], recording);
    for (double repetition = first; repetition <= 0; ++repetition) {
      engines_by_end_[engine].push_back(shifted(run, repetition * schedule.period_us()));
    }
  }
  for (auto& [engine, runs] : engines_by_end_) {
    std::ranges::stable_sort(runs, {}, &OperationRun::end_us);
  }
}

std::optional<OperationRun> PathRuns::last_before(std::size_t call, double repetition,
                                                  double by_us) const {
  std::optional<OperationRun> last;
  for (const Predecessor& one : order_.at(recording_.calls.size() + call).after) {
    const auto run = schedule_.run_at(one.place, repetition);
    if (run && run->end_us <= by_us && (!last || run->end_us > last->end_us)) last = run;
  }
  return last;
}

std::optional<OperationRun> PathRuns::on_engine_before(const OperationRun& run) const {
  const RecordedEngine engine = engine_of(recording_.calls[run.call], recording_);
  const auto runs = engines_by_end_.find(engine);
  if (engine == RecordedEngine::none || runs == engines_by_end_.end()) return std::nullopt;
  auto later = std::ranges::upper_bound(runs->second, run.start_us, {}, &OperationRun::end_us);
  while (later != runs->second.begin()) {
    --later;
    if (later->start_us < run.start_us) return *later;
  }
  return std::nullopt;
}

double PathRuns::repetition_of(const OperationRun& run) const {
  if (!schedule_.repeats()) return 0;
  const double first = recording_.calls[run.call].start_us;
  return std::round((run.issued_us - first) / schedule_.period_us());
}

}  // namespace trilane
