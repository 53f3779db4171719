// Runs an iteration on one stream for each engine.
#pragma once

#include <array>
#include <map>
#include <vector>

#include "common/application/prediction/ways/engine_plan.hpp"
#include "common/application/prediction/ways/simulated_pass.hpp"
#include "common/application/prediction/ways/stand_in_memory.hpp"
#include "common/measure/gpu/runtime/handles.hpp"

namespace trilane {

class StreamPerEngine final : public SimulatedPass {
 public:
  explicit StreamPerEngine(const ApplicationRecording& recording);

  /// Spends the host's own time and waits where the application does, but each wait is for
  /// everything.
  void run() override;

 private:
  void issue(const EngineStep& step) const;
  void wait(const EngineStep& step) const;

  const ApplicationRecording& recording_;
  StandInMemory memory_;
  std::array<Stream, planned_engines> streams_;
  std::array<OrderingEvent, planned_engines> ends_;
  std::map<std::uint32_t, OrderingEvent> done_;  // by call, for those that others wait for
  std::vector<EngineStep> plan_;
  std::vector<double> gaps_us_;
};

}  // namespace trilane
