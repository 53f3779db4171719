// graph_set: the built graph with changing operands; every node is set before each launch.
// Issued by: one launch of the built graph per pass, after one call for each node.
// Scratch memory: allocated once per lane, twice: passes alternate between the two sets.
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
        scratch_(job.workload, buffer_sets * job.workload.used_lanes()),
        builder_(job),
        recording_(built()) {}

  Graph built() {
    for (const Step& step : job_.steps) builder_.add(step, operation(step));
    return builder_.finish();
  }

  void submit(cudaStream_t origin) override {
    for (std::size_t i = 0; i < job_.steps.size(); ++i) {
      operation(job_.steps[i]).set_on(recording_.executable(), builder_.nodes()[i]);
    }
    recording_.launch(origin);
    set_ = (set_ + 1) % buffer_sets;
  }

  Facts evidence() const override { return recording_.evidence(); }

 private:
  Operation operation(const Step& step) const {
    return operation_of(step, scratch_[set_ * job_.workload.used_lanes() + step.lane]);
  }

  static constexpr std::uint32_t buffer_sets = 2;

  const Job& job_;
  LaneScratch scratch_;
  std::uint32_t set_ = 0;  // of the next pass
  GraphBuilder builder_;
  Recording recording_;
};

Plan plan(const Workload& workload) { return set_plan(workload); }

const Registered<ThisVariant> row("graph_set",
                                  "built graph, all node parameters set again each pass", plan);

}  // namespace
}  // namespace trilane
