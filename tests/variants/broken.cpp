#include "tests/variants/broken.hpp"

#include <optional>
#include <stdexcept>

#include "common/measure/gpu/lanes.hpp"
#include "common/measure/gpu/recording.hpp"
#include "common/measure/gpu/stages/lane_scratch.hpp"
#include "common/model/variant/graph_plan.hpp"
#include "common/model/variant/lane_plan.hpp"

namespace trilane {

namespace {

constexpr bool about_graphs(Mistake mistake) {
  return mistake == Mistake::node_added || mistake == Mistake::edges_added ||
         mistake == Mistake::edges_moved;
}

template <Mistake mistake>
class Broken : public Variant {
 public:
  explicit Broken(const Job& job)
      : job_(job),
        lanes_(job.workload.used_lanes()),
        scratch_(job.workload, job.workload.used_lanes()) {
    if (about_graphs(mistake)) recording_.emplace([this](cudaStream_t origin) { issue(origin); });
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
    if (mistake == Mistake::wait_for_pass_before) check(cudaEventSynchronize(last_.get()));
    if (mistake != Mistake::no_fork) lanes_.fork(origin);
    for (const Step& step : job_.steps) issue(step);
    if (mistake != Mistake::no_join) lanes_.join(origin);
    if (mistake == Mistake::wait_for_pass_before) check(cudaEventRecord(last_.get(), origin));
    if (mistake == Mistake::wait_in_submit) check(cudaStreamSynchronize(origin));
  }

  void issue(const Step& step) {
    const cudaStream_t lane = lanes_[step.lane];
    const Scratch& scratch = scratch_[mistake == Mistake::scratch_shared ? 0 : step.lane];
    if (mistake == Mistake::last_chunk_skipped && step.chunk + 1 == job_.workload.chunks()) return;
    switch (step.stage) {
      case Stage::copy_in:
        if (mistake == Mistake::edges_added) chain_after_last(lane);
        copy_in(step, scratch).enqueue(lane);
        break;
      case Stage::clear:
        if (mistake == Mistake::no_memset) break;
        if (mistake == Mistake::output_stale) copy_out(step, scratch).enqueue(lane);
        clear(step, scratch).enqueue(lane);
        if (mistake == Mistake::node_added && step.chunk == 0) clear(step, scratch).enqueue(lane);
        break;
      case Stage::transform: transform(step, scratch).enqueue(lane); break;
      case Stage::copy_out:
        // The last chunk's copy moves to the next lane: every count stays, only the order differs.
        if (mistake == Mistake::edges_moved && step.chunk + 1 == job_.workload.chunks()) {
          copy_out(step, scratch).enqueue(lanes_[(step.lane + 1) % job_.workload.used_lanes()]);
          break;
        }
        if (mistake != Mistake::output_stale) copy_out(step, scratch).enqueue(lane);
        if (mistake == Mistake::gap_written) write_behind(step, scratch, lane);
        if (mistake == Mistake::edges_added) check(cudaEventRecord(last_.get(), lane));
        break;
    }
    last_lane_ = lane;
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
  Lanes lanes_;
  LaneScratch scratch_;
  Event last_ = make_ordering_event();
  cudaStream_t last_lane_ = nullptr;
  std::optional<Recording> recording_;
};

template <Mistake mistake>
VariantEntry entry() {
  return {.name = "broken",
          .summary = "one mistake",
          .plan =
              [](const Workload& workload) {
                const Plan plan = lanes_plan(workload);
                return about_graphs(mistake) ? recorded(plan, workload) : plan;
              },
          .make = [](const Job& job) -> std::unique_ptr<Variant> {
            return std::make_unique<Broken<mistake>>(job);
          }};
}

}  // namespace

VariantEntry broken(Mistake mistake) {
  switch (mistake) {
    case Mistake::none: return entry<Mistake::none>();
    case Mistake::no_memset: return entry<Mistake::no_memset>();
    case Mistake::no_join: return entry<Mistake::no_join>();
    case Mistake::no_fork: return entry<Mistake::no_fork>();
    case Mistake::last_chunk_skipped: return entry<Mistake::last_chunk_skipped>();
    case Mistake::scratch_shared: return entry<Mistake::scratch_shared>();
    case Mistake::output_stale: return entry<Mistake::output_stale>();
    case Mistake::gap_written: return entry<Mistake::gap_written>();
    case Mistake::wait_in_submit: return entry<Mistake::wait_in_submit>();
    case Mistake::wait_for_pass_before: return entry<Mistake::wait_for_pass_before>();
    case Mistake::node_added: return entry<Mistake::node_added>();
    case Mistake::edges_added: return entry<Mistake::edges_added>();
    case Mistake::edges_moved: return entry<Mistake::edges_moved>();
  }
  throw std::invalid_argument("no such mistake");
}

}  // namespace trilane
