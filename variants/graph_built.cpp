// graph_built: the graph built node by node, with the edges that the data needs.
// Issued by: one launch of the built graph per pass.
// Scratch memory: allocated once per lane.
#include "common/measure/gpu/recording.hpp"
#include "common/measure/gpu/scratch.hpp"
#include "common/model/variant/graph_plan.hpp"
#include "common/model/variant/variant.hpp"

namespace trilane {
namespace {

class ThisVariant : public Variant {
 public:
  explicit ThisVariant(const Job& job)
      : job_(job), scratch_(job.workload, job.workload.used_lanes()), recording_(built()) {}

  Graph built() {
    GraphBuilder builder(job_);
    for (const Step& step : job_.steps) {
      builder.add(step, operation_of(step, scratch_[step.lane]));
    }
    return builder.finish();
  }

  void submit(cudaStream_t origin) override { recording_.launch(origin); }

  Facts evidence() const override { return recording_.evidence(); }

 private:
  const Job& job_;
  LaneScratch scratch_;
  Recording recording_;
};

Plan plan(const Workload& workload) { return built_plan(workload); }

const Registered<ThisVariant> row("graph_built", "graph built node by node, with the fewest edges",
                                  plan);

}  // namespace
}  // namespace trilane
