// Runs an iteration call by call, as the application does.
#pragma once

#include <vector>

#include "common/application/prediction/ways/simulated_pass.hpp"
#include "common/application/prediction/ways/stand_in_memory.hpp"
#include "common/application/prediction/ways/stand_in_streams.hpp"

namespace trilane {

class CallsAgain final : public SimulatedPass {
 public:
  CallsAgain(const ApplicationRecording& recording, MemoryRules rules);

  void run() override;

 private:
  void make(std::size_t call);

  const ApplicationRecording& recording_;
  StandInStreams streams_;
  StandInMemory memory_;
  std::vector<double> gaps_us_;
};

}  // namespace trilane
