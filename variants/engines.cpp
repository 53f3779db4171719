// engines: one stream per engine.
// Issued by: the host, on one stream for copies in, one for the SMs and one for copies out, with
// events between a chunk's stages.
// Scratch memory: allocated once per lane.
#include "common/measure/gpu/lanes.hpp"
#include "common/measure/gpu/scratch.hpp"
#include "common/model/variant/lane_plan.hpp"
#include "common/model/variant/variant.hpp"

namespace trilane {
namespace {

class ThisVariant : public Variant {
 public:
  explicit ThisVariant(const Job& job)
      : job_(job), engines_(job), scratch_(job.workload, job.workload.used_lanes()) {}

  void submit(cudaStream_t origin) override {
    engines_.fork(origin);
    for (const Step& step : job_.steps) {
      const cudaStream_t engine = engines_.before(step);
      operation_of(step, scratch_[step.lane]).enqueue(engine);
      engines_.after(step);
    }
    engines_.join(origin);
  }

  Facts evidence() const override { return engines_.evidence(); }

 private:
  const Job& job_;
  EngineStreams engines_;
  LaneScratch scratch_;
};

Plan plan(const Workload& workload) { return engines_plan(workload); }

const Registered<ThisVariant> row("engines", "one stream per engine, chained by events", plan);

}  // namespace
}  // namespace trilane
