// threads: multi-stream code with a host thread for each lane.
// Issued by: N host threads, each on its lane, every operation in every pass.
// Scratch memory: allocated once per lane.
#include "common/measure/gpu/crew.hpp"
#include "common/measure/gpu/lanes.hpp"
#include "common/measure/gpu/stages/lane_scratch.hpp"
#include "common/model/variant/lane_plan.hpp"
#include "common/model/variant/variant.hpp"

namespace trilane {
namespace {

class Threads : public Variant {
 public:
  explicit Threads(const Job& job)
      : job_(job),
        lanes_(job.workload.used_lanes()),
        scratch_(job.workload, job.workload.used_lanes()),
        crew_(job.workload.used_lanes()) {}

  void submit(cudaStream_t origin) override {
    lanes_.fork(origin);
    crew_.run([this](std::uint32_t lane) { issue(lane, lanes_[lane]); });
    lanes_.join(origin);
  }

  std::vector<Count> evidence() const override { return lanes_.evidence(); }

 private:
  void issue(std::uint32_t own, cudaStream_t lane) {
    for (const Step& step : job_.steps) {
      if (step.lane != own) continue;
      switch (step.stage) {
        case Stage::copy_in: copy_in(step, scratch_[step.lane]).enqueue(lane); break;
        case Stage::clear: clear(step, scratch_[step.lane]).enqueue(lane); break;
        case Stage::transform: transform(step, scratch_[step.lane]).enqueue(lane); break;
        case Stage::copy_out: copy_out(step, scratch_[step.lane]).enqueue(lane); break;
      }
    }
  }

  const Job& job_;
  Lanes lanes_;
  LaneScratch scratch_;
  Crew crew_;
};

Plan plan(const Workload& workload) {
  Plan plan = lanes_plan(workload);
  plan.model.issuer = Issuer::host_threads;
  plan.host_threads = workload.used_lanes();
  return plan;
}

const Registration<Threads> registration("threads", "multi-stream, a host thread for each lane",
                                         plan);

}  // namespace
}  // namespace trilane
