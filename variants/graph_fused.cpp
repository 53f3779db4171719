// graph_fused: a captured graph with one kernel for all stages of a chunk.
// Issued by: one launch of the captured graph per pass.
// Scratch memory: none; the sums stay in registers.
// Bytes moved by: the same kernels, from and to mapped host memory.
#include "common/measure/gpu/lanes.hpp"
#include "common/measure/gpu/mapped.hpp"
#include "common/measure/gpu/recording.hpp"
#include "common/model/variant/graph_plan.hpp"
#include "common/model/variant/lane_plan.hpp"
#include "common/model/variant/variant.hpp"

namespace trilane {
namespace {

class ThisVariant : public Variant {
 public:
  explicit ThisVariant(const Job& job)
      : job_(job),
        host_(job),
        lanes_(job.workload),
        recording_([this](cudaStream_t origin) { issue(origin); }) {}

  void issue(cudaStream_t origin) {
    lanes_.fork(origin);
    for (const Step& step : job_.steps) {
      if (!step.first) continue;  // the kernel also does the chunk's other stages
      fused(job_, step, host_).enqueue(lanes_[step.lane]);
    }
    lanes_.join(origin);
  }

  void submit(cudaStream_t origin) override { recording_.launch(origin); }

  Facts evidence() const override { return together({lanes_.evidence(), recording_.evidence()}); }

 private:
  const Job& job_;
  MappedHost host_;
  Lanes lanes_;
  Recording recording_;
};

Plan plan(const Workload& workload) { return recorded(fused_plan(workload), workload); }

const Registered<ThisVariant> row("graph_fused",
                                  "captured graph, one kernel for all stages of a chunk", plan);

}  // namespace
}  // namespace trilane
