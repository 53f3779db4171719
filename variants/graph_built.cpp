// graph_built: the graph built node by node, with the edges that the data needs.
// Issued by: one launch of the built graph per pass.
// Scratch memory: allocated once per lane.
#include "common/measure/gpu/built_graph.hpp"
#include "common/measure/gpu/recording.hpp"
#include "common/measure/gpu/stages/lane_scratch.hpp"
#include "common/model/variant/graph_plan.hpp"
#include "common/model/variant/variant.hpp"

namespace trilane {
namespace {

class BuiltGraph : public Variant {
 public:
  explicit BuiltGraph(const Job& job)
      : job_(job), scratch_(job.workload, job.workload.used_lanes()), recording_(built()) {}

  void submit(cudaStream_t origin) override { recording_.launch(origin); }

  std::vector<Count> evidence() const override { return recording_.evidence(); }

 private:
  Graph built() {
    GraphBuilder builder(job_);
    for (const Step& step : job_.steps) {
      switch (step.stage) {
        case Stage::copy_in: builder.add(step, copy_in(step, scratch_[step.lane])); break;
        case Stage::clear: builder.add(step, clear(step, scratch_[step.lane])); break;
        case Stage::transform: builder.add(step, transform(step, scratch_[step.lane])); break;
        case Stage::copy_out: builder.add(step, copy_out(step, scratch_[step.lane])); break;
      }
    }
    return builder.finish();
  }

  const Job& job_;
  LaneScratch scratch_;
  Recording recording_;
};

Plan plan(const Workload& workload) { return built_plan(workload); }

const Registration<BuiltGraph> registration("graph_built", "graph made node by node, fewest edges",
                                            plan);

}  // namespace
}  // namespace trilane
