// graph: the multi-stream code captured once into a CUDA graph.
// Issued by: one launch of the captured graph per pass.
// Scratch memory: allocated once per lane.
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
        scratch_(job.workload, job.workload.used_lanes()),
        recording_([this](cudaStream_t origin) { issue(origin); }) {}

  void issue(cudaStream_t origin) {
    lanes_.fork(origin);
    for (const Step& step : job_.steps) {
      const cudaStream_t lane = lanes_[step.lane];
      operation_of(step, scratch_[step.lane]).enqueue(lane);
    }
    lanes_.join(origin);
  }

  void submit(cudaStream_t origin) override { recording_.launch(origin); }

  Facts evidence() const override { return together({lanes_.evidence(), recording_.evidence()}); }

 private:
  const Job& job_;
  Lanes lanes_;
  LaneScratch scratch_;
  Recording recording_;
};

Plan plan(const Workload& workload) { return recorded(lanes_plan(workload), workload); }

const Registered<ThisVariant> row("graph", "multi-stream code captured once into a CUDA graph",
                                  plan);

}  // namespace
}  // namespace trilane
