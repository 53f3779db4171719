// batch: one batch of copies in each direction for the whole pass, kernels per chunk between them.
// Issued by: the host, two batches and one launch of the captured graph per pass.
// Scratch memory: allocated once for the whole pass.
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
        scratch_(job),
        recording_(job, scratch_, [this](const std::vector<StageRun>& runs, cudaStream_t origin) {
          issue(runs, origin);
        }) {}

  void issue(const std::vector<StageRun>& runs, cudaStream_t origin) {
    for (const StageRun& run : runs) {
      if (run.stage != Stage::transform) {
        scratch_.enqueue_together(run, origin);
        continue;
      }
      lanes_.fork(origin);
      for (const Step& step : steps_of(job_, run)) {
        transform(step, scratch_[step]).enqueue(lanes_[step.lane]);
      }
      lanes_.join(origin);
    }
  }

  void submit(cudaStream_t origin) override { recording_.launch(origin); }

  Facts evidence() const override { return together({lanes_.evidence(), recording_.evidence()}); }

 private:
  const Job& job_;
  Lanes lanes_;
  PassScratch scratch_;
  BatchedRecording recording_;
};

Plan plan(const Workload& workload) { return batch_plan(workload); }

const Registered<ThisVariant> row("batch", "a graph between one batch of copies in and one out",
                                  plan);

}  // namespace
}  // namespace trilane
