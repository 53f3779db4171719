// streams_kernels: multi-stream code in which kernels move the bytes.
// Issued by: the host, on N lanes, every operation in every pass.
// Scratch memory: allocated once per lane.
// Bytes moved by: kernels, through mapped host memory.
#include "common/measure/gpu/lanes.hpp"
#include "common/measure/gpu/mapped.hpp"
#include "common/measure/gpu/scratch.hpp"
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
        scratch_(job.workload, job.workload.used_lanes()) {}

  void submit(cudaStream_t origin) override {
    lanes_.fork(origin);
    for (const Step& step : job_.steps) {
      const cudaStream_t lane = lanes_[step.lane];
      operation_by_kernels(step, host_, scratch_[step.lane]).enqueue(lane);
    }
    lanes_.join(origin);
  }

  Facts evidence() const override { return lanes_.evidence(); }

 private:
  const Job& job_;
  MappedHost host_;
  Lanes lanes_;
  LaneScratch scratch_;
};

Plan plan(const Workload& workload) { return by_kernels(lanes_plan(workload)); }

const Registered<ThisVariant> row("streams_kernels", "multi-stream, kernels copy the data", plan);

}  // namespace
}  // namespace trilane
