// Runs an iteration call by call, as the application does.
#pragma once

#include <map>
#include <vector>

#include "common/application/replay/candidates/candidate.hpp"

namespace trilane {

struct CallRules {
  bool pool = false;            ///< pools that keep their memory, see ReplayWay::pool
  bool only_last_wait = false;  ///< the host waits once, for everything
};

class CallByCall final : public Candidate {
 public:
  CallByCall(ReplayedIteration iteration, CallRules rules);
  ~CallByCall() override;

  void run(double& issuing_us) override;
  ReplayedIteration& iteration() override { return iteration_; }
  std::vector<Count> evidence() const override;

 private:
  void replace_pools();
  void make(ReplayedCall& call);
  void allocate(const ReplayedCall& call);
  void free(const ReplayedCall& call);
  void free_the_rest();
  void query(const ReplayedCall& call);
  void change_graph(ReplayedCall& call);
  bool waits(const ReplayedCall& call) const;

  ReplayedIteration iteration_;
  CallRules rules_;
  std::vector<ReplayedCall> calls_;
  std::map<CUmemoryPool, OwnPool> pools_;  // by the application's; null: in place of cudaMalloc
  Allocations allocated_;                  // 0: freed
  std::vector<OwnEvent> events_;
  std::vector<OwnGraphExec> executables_;
  CUcontext context_ = nullptr;
  std::uint64_t operations_ = 0, waits_ = 0;  // in the latest run
};

}  // namespace trilane
