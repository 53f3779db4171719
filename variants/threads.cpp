// threads: multi-stream code with a host thread for each lane.
// Issued by: N host threads, each on its lane, every operation in every pass.
// Scratch memory: allocated once per lane.
#include "common/measure/gpu/crew.hpp"
#include "common/measure/gpu/lanes.hpp"
#include "common/measure/gpu/scratch.hpp"
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
        crew_(job.workload.used_lanes()) {}

  void issue(std::uint32_t own, cudaStream_t lane) {
    for (const Step& step : job_.steps) {
      if (step.lane != own) continue;
      operation_of(step, scratch_[step.lane]).enqueue(lane);
    }
  }

  void submit(cudaStream_t origin) override {
    lanes_.fork(origin);
    crew_.run([this](std::uint32_t lane) { issue(lane, lanes_[lane]); });
    lanes_.join(origin);
  }

  Facts evidence() const override { return lanes_.evidence(); }

 private:
  const Job& job_;
  Lanes lanes_;
  LaneScratch scratch_;
  Crew crew_;
};

Plan plan(const Workload& workload) { return threads_plan(workload); }

const Registered<ThisVariant> row("threads", "multi-stream, a host thread for each lane", plan);

}  // namespace
}  // namespace trilane
