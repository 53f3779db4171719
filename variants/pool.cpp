// pool: multi-stream code with stream-ordered memory.
// Issued by: the host, on N lanes, every operation in every pass.
// Scratch memory: from a private pool, for each chunk.
#include "common/measure/gpu/lanes.hpp"
#include "common/measure/gpu/scratch.hpp"
#include "common/model/variant/lane_plan.hpp"
#include "common/model/variant/variant.hpp"

namespace trilane {
namespace {

class ThisVariant : public Variant {
 public:
  explicit ThisVariant(const Job& job)
      : job_(job), lanes_(job.workload), scratch_(job.workload, job.workload.used_lanes()) {}

  void submit(cudaStream_t origin) override {
    lanes_.fork(origin);
    for (const Step& step : job_.steps) {
      const cudaStream_t lane = lanes_[step.lane];
      if (step.first) scratch_.allocate(step.lane, lane);
      operation_of(step, scratch_[step.lane]).enqueue(lane);
      if (step.last) scratch_.free(step.lane, lane);
    }
    lanes_.join(origin);
  }

  Facts evidence() const override { return together({lanes_.evidence(), scratch_.evidence()}); }

 private:
  const Job& job_;
  Lanes lanes_;
  PoolScratch scratch_;
};

Plan plan(const Workload& workload) { return pool_plan(workload); }

const Registered<ThisVariant> row("pool", "multi-stream, memory from a pool for each chunk", plan);

const PolicyRow trimmed_row("pool", "pool_trim", "pool with the default release threshold of zero",
                            {.threshold = 0});

}  // namespace
}  // namespace trilane
