// graph_pool: the stream-ordered code captured once into a CUDA graph.
// Issued by: one launch of the captured graph per pass.
// Scratch memory: allocation nodes of the graph, for each chunk.
#include "common/measure/gpu/lanes.hpp"
#include "common/measure/gpu/recording.hpp"
#include "common/measure/gpu/scratch.hpp"
#include "common/model/variant/graph_plan.hpp"
#include "common/model/variant/lane_plan.hpp"
#include "common/model/variant/variant.hpp"

namespace trilane {
namespace {

class ThisVariant : public Variant {
 public:
  explicit ThisVariant(const Job& job)
      : job_(job),
        lanes_(job.workload),
        scratch_(job.workload, job.workload.used_lanes(), PoolPolicy{}),
        recording_([this](cudaStream_t origin) { issue(origin); }) {}

  void issue(cudaStream_t origin) {
    lanes_.fork(origin);
    for (const Step& step : job_.steps) {
      const cudaStream_t lane = lanes_[step.lane];
      if (step.first) scratch_.allocate(step.lane, lane);
      operation_of(step, scratch_[step.lane]).enqueue(lane);
      if (step.last) scratch_.free(step.lane, lane);
    }
    lanes_.join(origin);
  }

  void submit(cudaStream_t origin) override { recording_.launch(origin); }

  Facts evidence() const override {
    return together(
        {lanes_.evidence(), scratch_.evidence(), recording_.evidence(), graph_memory_facts()});
  }

 private:
  const Job& job_;
  Lanes lanes_;
  PoolScratch scratch_;
  Recording recording_;
};

Plan plan(const Workload& workload) {
  return recorded(with_pool(lanes_plan(workload), workload, PoolPolicy{}), workload);
}

const Registered<ThisVariant> row("graph_pool", "pool captured: allocations are graph nodes", plan);

}  // namespace
}  // namespace trilane
