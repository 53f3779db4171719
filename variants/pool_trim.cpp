// pool_trim: multi-stream code with stream-ordered memory, and the runtime's release threshold.
// Issued by: the host, on N lanes, every operation in every pass.
// Scratch memory: from a private pool that keeps nothing when the host waits, for each chunk.
#include "common/measure/gpu/lanes.hpp"
#include "common/measure/gpu/stages/chunk_scratch.hpp"
#include "common/model/variant/lane_plan.hpp"
#include "common/model/variant/variant.hpp"

namespace trilane {
namespace {

constexpr PoolPolicy keeps_nothing{.threshold = 0};

class PoolTrim : public Variant {
 public:
  explicit PoolTrim(const Job& job)
      : job_(job),
        lanes_(job.workload.used_lanes()),
        scratch_(job.workload, job.workload.used_lanes(), keeps_nothing) {}

  void submit(cudaStream_t origin) override {
    lanes_.fork(origin);
    for (const Step& step : job_.steps) {
      const cudaStream_t lane = lanes_[step.lane];
      if (step.first) scratch_.allocate(step.lane, lane);
      switch (step.stage) {
        case Stage::copy_in: copy_in(step, scratch_[step.lane]).enqueue(lane); break;
        case Stage::clear: clear(step, scratch_[step.lane]).enqueue(lane); break;
        case Stage::transform: transform(step, scratch_[step.lane]).enqueue(lane); break;
        case Stage::copy_out: copy_out(step, scratch_[step.lane]).enqueue(lane); break;
      }
      if (step.last) scratch_.free(step.lane, lane);
    }
    lanes_.join(origin);
  }

  std::vector<Count> evidence() const override {
    return together({lanes_.evidence(), scratch_.evidence()});
  }

 private:
  const Job& job_;
  Lanes lanes_;
  PoolScratch scratch_;
};

Plan plan(const Workload& workload) {
  Plan plan = with_pool(lanes_plan(workload), workload, keeps_nothing);
  expect_at_least(plan, "pool used high bytes", workload.scratch_bytes());
  return plan;
}

const Registration<PoolTrim> registration("pool_trim",
                                          "pool with the default release threshold of zero", plan);

}  // namespace
}  // namespace trilane
