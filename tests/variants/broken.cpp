#include "tests/variants/broken.hpp"

#include "common/measure/gpu/lanes.hpp"
#include "common/measure/gpu/recording.hpp"
#include "common/measure/gpu/scratch.hpp"
#include "common/model/variant/graph_plan.hpp"
#include "common/model/variant/lane_plan.hpp"

namespace trilane {

namespace {

bool about_graphs(Mistake mistake) {
  return mistake == Mistake::node_added || mistake == Mistake::edges_added ||
         mistake == Mistake::edges_moved;
}

class Broken : public Variant {
 public:
  Broken(const Job& job, Mistake mistake)
      : job_(job),
        mistake_(mistake),
        lanes_(job.workload.used_lanes()),
        scratch_(job.workload, job.workload.used_lanes()) {
    if (about_graphs(mistake_)) recording_.emplace([this](cudaStream_t origin) { issue(origin); });
  }

  void submit(cudaStream_t origin) override {
    if (recording_) {
      recording_->launch(origin);
    } else {
      issue(origin);
    }
  }

  std::vector<Count> evidence() const override {
    if (!recording_) return lanes_.evidence();
    return together({lanes_.evidence(), recording_->evidence()});
  }

 private:
  void issue(cudaStream_t origin) {
    if (mistake_ == Mistake::wait_for_pass_before) check(cudaEventSynchronize(last_.get()));
    if (mistake_ != Mistake::no_fork) lanes_.fork(origin);
    for (const Step& step : job_.steps) issue(step);
    if (mistake_ != Mistake::no_join) lanes_.join(origin);
    if (mistake_ == Mistake::wait_for_pass_before) check(cudaEventRecord(last_.get(), origin));
    if (mistake_ == Mistake::wait_in_submit) check(cudaStreamSynchronize(origin));
  }

  void issue(const Step& step) {
    const cudaStream_t lane = lanes_[step.lane];
    const Scratch& scratch = scratch_[mistake_ == Mistake::scratch_shared ? 0 : step.lane];
    const bool is_last = step.chunk + 1 == job_.workload.chunks();
    if (mistake_ == Mistake::last_chunk_skipped && is_last) return;
    Operation operation = operation_of(step, scratch);
    switch (step.stage) {
      case Stage::copy_in:
        if (mistake_ == Mistake::edges_added) chain_after_last(lane);
        operation.enqueue(lane);
        break;
      case Stage::clear:
        if (mistake_ == Mistake::no_memset) break;
        if (mistake_ == Mistake::output_stale) copy_out_early(step, scratch, lane);
        operation.enqueue(lane);
        if (mistake_ == Mistake::node_added && step.chunk == 0) operation.enqueue(lane);
        break;
      case Stage::transform: operation.enqueue(lane); break;
      case Stage::copy_out:
        // The last chunk's copy moves to the next lane: every count stays, only the order differs.
        if (mistake_ == Mistake::edges_moved && is_last) {
          operation.enqueue(lanes_[(step.lane + 1) % job_.workload.used_lanes()]);
          break;
        }
        if (mistake_ != Mistake::output_stale) operation.enqueue(lane);
        if (mistake_ == Mistake::gap_written) write_behind(step, scratch, lane);
        if (mistake_ == Mistake::edges_added) check(cudaEventRecord(last_.get(), lane));
        break;
    }
    last_lane_ = lane;
  }

  static void copy_out_early(Step step, const Scratch& scratch, cudaStream_t lane) {
    step.stage = Stage::copy_out;
    operation_of(step, scratch).enqueue(lane);
  }

  void chain_after_last(cudaStream_t lane) {
    if (last_lane_ != nullptr) check(cudaStreamWaitEvent(lane, last_.get(), 0));
  }

  void write_behind(const Step& step, const Scratch& scratch, cudaStream_t lane) {
    if (step.chunk + 1 == job_.workload.chunks()) return;
    constexpr std::uint64_t word = 4;
    Operation(Operation::Copy{step.host_out + step.out_bytes, scratch[step.buffer], word,
                              cudaMemcpyDeviceToHost})
        .enqueue(lane);
  }

  const Job& job_;
  Mistake mistake_;
  Lanes lanes_;
  LaneScratch scratch_;
  Event last_ = make_ordering_event();
  cudaStream_t last_lane_ = nullptr;
  std::optional<Recording> recording_;
};

}  // namespace

VariantEntry broken(Mistake mistake) {
  return {.name = "broken",
          .summary = "one mistake",
          .plan =
              [mistake](const Workload& workload) {
                const Plan plan = lanes_plan(workload);
                return about_graphs(mistake) ? recorded(plan, workload) : plan;
              },
          .make = [mistake](const Job& job) { return std::make_unique<Broken>(job, mistake); }};
}

}  // namespace trilane
