// serial: one stream, one operation at a time. The baseline.
// Issued by: the host, which waits after every operation.
// Scratch memory: allocated once per lane, for breadth-first order.
#include "common/measure/gpu/scratch.hpp"
#include "common/model/variant/lane_plan.hpp"
#include "common/model/variant/variant.hpp"

namespace trilane {
namespace {

class ThisVariant : public Variant {
 public:
  explicit ThisVariant(const Job& job)
      : job_(job), scratch_(job.workload, job.workload.used_lanes()) {}

  void submit(cudaStream_t origin) override {
    for (const Step& step : job_.steps) {
      operation_of(step, scratch_[step.lane]).enqueue(origin);
      check(cudaStreamSynchronize(origin));
    }
  }

  // Every checked pass shows that the host waited: origin is idle when submit returns.
  Facts evidence() const override { return {}; }

 private:
  const Job& job_;
  LaneScratch scratch_;
};

Plan plan(const Workload& workload) {
  Plan plan = stages_plan(workload);
  plan.model.issuer = Issuer::host_waiting;
  plan.calls.push_back({"cudaStreamSynchronize", workload.operations()});
  expect(plan, {{"idle after submit", 1}});
  plan.blocks = true;
  return plan;
}

const Registered<ThisVariant> row("serial", "one stream, a wait after every operation", plan);

}  // namespace
}  // namespace trilane
