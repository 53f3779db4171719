// malloc: multi-stream code with cudaMalloc for each chunk, a common first version.
// Issued by: the host, on N lanes, every operation in every pass.
// Scratch memory: cudaMalloc and cudaFree for each chunk, with a wait for the lane in between.
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
      if (step.first) scratch_.allocate(step.lane);
      operation_of(step, scratch_[step.lane]).enqueue(lane);
      if (step.last) {
        check(cudaStreamSynchronize(lane));
        scratch_.free(step.lane);
      }
    }
    lanes_.join(origin);
  }

  Facts evidence() const override { return lanes_.evidence(); }

 private:
  const Job& job_;
  Lanes lanes_;
  MallocScratch scratch_;
};

Plan plan(const Workload& workload) {
  Plan plan = lanes_plan(workload);
  for (const char* per_chunk : {"cudaMalloc", "cudaFree", "cudaStreamSynchronize"}) {
    plan.calls.push_back({per_chunk, workload.chunks()});
  }
  plan.model.scratch = ScratchSource::cuda_malloc;
  plan.blocks = true;
  return plan;
}

const Registered<ThisVariant> row("malloc", "multi-stream, cudaMalloc and cudaFree for each chunk",
                                  plan);

}  // namespace
}  // namespace trilane
