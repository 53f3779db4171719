// engines: one stream per engine.
// Issued by: the host, on one stream for copies in, one for the SMs and one for copies out, with
// events between a chunk's stages.
// Scratch memory: allocated once per lane.
#include "common/gpu/lanes.hpp"
#include "common/gpu/scratch/lane_scratch.hpp"
#include "common/variant/lane_plan.hpp"
#include "common/variant/variant.hpp"

namespace trilane {
namespace {

class Engines : public Variant {
 public:
  explicit Engines(const Job& job)
      : job_(job),
        engines_(3),
        scratch_(job.workload, job.workload.used_lanes()),
        events_(job.workload.used_lanes()) {}

  void submit(cudaStream_t origin) override {
    const cudaStream_t in = engines_[0], work = engines_[1], out = engines_[2];
    engines_.fork(origin);
    for (const Step& step : job_.steps) {
      const ChunkEvents& events = events_[step.lane];
      // The lane's previous chunk still uses the memory until these events.
      const bool takes_over = step.chunk >= job_.workload.lanes;
      switch (step.stage) {
        case Stage::copy_in:
          if (takes_over) events.computed.wait_on(in);
          copy_in(step, scratch_[step.lane]).enqueue(in);
          events.copied_in.record_on(in);
          break;
        case Stage::clear:
          if (takes_over) events.copied_out.wait_on(work);
          clear(step, scratch_[step.lane]).enqueue(work);
          break;
        case Stage::transform:
          if (step.kernel == 0) events.copied_in.wait_on(work);
          transform(step, scratch_[step.lane]).enqueue(work);
          if (step.kernel + 1 == job_.workload.depth) events.computed.record_on(work);
          break;
        case Stage::copy_out:
          events.computed.wait_on(out);
          copy_out(step, scratch_[step.lane]).enqueue(out);
          events.copied_out.record_on(out);
          break;
      }
    }
    engines_.join(origin);
  }

  std::vector<Count> evidence() const override { return engines_.evidence(); }

 private:
  struct ChunkEvents {
    OrderingEvent copied_in, computed, copied_out;
  };

  const Job& job_;
  Lanes engines_;
  LaneScratch scratch_;
  std::vector<ChunkEvents> events_;
};

Plan plan(const Workload& workload) { return engines_plan(workload); }

const Registration<Engines> registration("engines", "one stream per engine, chained by events",
                                         plan);

}  // namespace
}  // namespace trilane
