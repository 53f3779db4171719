#include "common/application/prediction/ways/simulated_pass.hpp"

#include "common/application/prediction/ways/calls_again.hpp"
#include "common/application/prediction/ways/stream_per_engine.hpp"
#include "common/application/prediction/ways/stretch_graphs.hpp"

namespace trilane {

std::unique_ptr<SimulatedPass> make_pass(SimulatedWay way, const ApplicationRecording& recording) {
  const auto calls = [&](MemoryRules rules) {
    return std::make_unique<CallsAgain>(recording, rules);
  };
  switch (way) {
    case SimulatedWay::same_calls: return calls({});
    case SimulatedWay::pinned: return calls({.pinned = true});
    case SimulatedWay::pool: return calls({.pool = true});
    case SimulatedWay::graph:
    case SimulatedWay::graph_set: return std::make_unique<StretchGraphs>(recording);
    case SimulatedWay::engines: return std::make_unique<StreamPerEngine>(recording);
  }
  return nullptr;
}

}  // namespace trilane
