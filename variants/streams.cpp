// streams: explicit multi-stream code.
// Issued by: the host, on N lanes, every operation in every pass.
// Scratch memory: allocated once per lane.
#include "common/measure/gpu/lanes.hpp"
#include "common/measure/gpu/stages/lane_scratch.hpp"
#include "common/model/variant/lane_plan.hpp"
#include "common/model/variant/variant.hpp"

namespace trilane {
namespace {

class Streams : public Variant {
 public:
  explicit Streams(const Job& job)
      : job_(job),
        lanes_(job.workload.used_lanes()),
        scratch_(job.workload, job.workload.used_lanes()) {}

  void submit(cudaStream_t origin) override {
    lanes_.fork(origin);
    for (const Step& step : job_.steps) {
      const cudaStream_t lane = lanes_[step.lane];
      switch (step.stage) {
        case Stage::copy_in: copy_in(step, scratch_[step.lane]).enqueue(lane); break;
        case Stage::clear: clear(step, scratch_[step.lane]).enqueue(lane); break;
        case Stage::transform: transform(step, scratch_[step.lane]).enqueue(lane); break;
        case Stage::copy_out: copy_out(step, scratch_[step.lane]).enqueue(lane); break;
      }
    }
    lanes_.join(origin);
  }

  std::vector<Count> evidence() const override { return lanes_.evidence(); }

 private:
  const Job& job_;
  Lanes lanes_;
  LaneScratch scratch_;
};

Plan plan(const Workload& workload) { return lanes_plan(workload); }

const Registration<Streams> registration("streams", "explicit multi-stream code", plan);

}  // namespace
}  // namespace trilane
