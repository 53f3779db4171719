// Looks up when operations ran, for the way back along the critical path.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "common/application/diagnosis/time/iteration_schedule.hpp"
#include "common/application/iteration/order/call_traits.hpp"
#include "common/application/iteration/order/happens_before.hpp"

namespace trilane {

class PathRuns {
 public:
  PathRuns(const ApplicationRecording& recording, const IterationSchedule& schedule,
           const HappensBefore& order);

  /// Returns the run that ends last, at or before `by_us`, among those that a call of that
  /// repetition directly follows or waits for.
  std::optional<OperationRun> last_before(std::size_t call, double repetition, double by_us) const;

  /// Returns the run on the operation's engine that ends last, at or before its start.
  std::optional<OperationRun> on_engine_before(const OperationRun& run) const;

  double repetition_of(const OperationRun& run) const;

 private:
  const ApplicationRecording& recording_;
  const IterationSchedule& schedule_;
  const HappensBefore& order_;
  std::map<RecordedEngine, std::vector<OperationRun>> engines_by_end_;  // of repetitions -2 to 0
};

}  // namespace trilane
