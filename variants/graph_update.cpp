// graph_update: the captured graph with changing operands, captured again before each launch.
// Issued by: one launch of the captured graph per pass, after a capture and an update.
// Scratch memory: allocated once per lane, twice: passes alternate between the two sets.
#include "common/measure/gpu/lanes.hpp"
#include "common/measure/gpu/recording.hpp"
#include "common/measure/gpu/scratch.hpp"
#include "common/model/variant/graph_plan.hpp"
#include "common/model/variant/variant.hpp"

namespace trilane {
namespace {

class ThisVariant : public Variant {
 public:
  explicit ThisVariant(const Job& job)
      : job_(job),
        lanes_(job.workload),
        scratch_(job.workload, buffer_sets * job.workload.used_lanes()),
        recording_([this](cudaStream_t origin) { issue(origin); }) {}

  void issue(cudaStream_t origin) {
    lanes_.fork(origin);
    for (const Step& step : job_.steps) {
      const cudaStream_t lane = lanes_[step.lane];
      const Scratch& scratch = scratch_[set_ * job_.workload.used_lanes() + step.lane];
      operation_of(step, scratch).enqueue(lane);
    }
    lanes_.join(origin);
  }

  void submit(cudaStream_t origin) override {
    set_ = (set_ + 1) % buffer_sets;
    recording_.update(capture([this](cudaStream_t start) { issue(start); }, capturing_.get()));
    recording_.launch(origin);
  }

  Facts evidence() const override { return together({lanes_.evidence(), recording_.evidence()}); }

 private:
  static constexpr std::uint32_t buffer_sets = 2;

  const Job& job_;
  Lanes lanes_;
  const Stream capturing_ = make_stream();
  LaneScratch scratch_;
  std::uint32_t set_ = 0;  // of the captured pass
  Recording recording_;
};

Plan plan(const Workload& workload) { return updated_plan(workload); }

const Registered<ThisVariant> row("graph_update", "graph captured and updated each pass", plan);

}  // namespace
}  // namespace trilane
