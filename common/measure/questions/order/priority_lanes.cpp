#include "common/measure/ask/parts/backlog.hpp"
#include "common/measure/gpu/scratch.hpp"
#include "common/measure/gpu/stages.hpp"

namespace trilane::priority_lanes {

constexpr const char* presets_tried[] = {"launch", "balanced", "compute", "search"};

std::string alike(const std::string& preset) { return preset + ", lanes alike"; }
std::string first(const std::string& preset) { return preset + ", the first lane with a high one"; }

/// A preset's pass, on lanes of which the first may have a high priority.
struct Pass {
  explicit Pass(const Workload& workload)
      : host(make_pinned_buffer(2 * workload.bytes)),
        job(workload, host.get(), host.get() + workload.bytes),
        scratch(workload, workload.lanes) {
    std::fill_n(host.get(), workload.bytes, std::byte{});
  }

  double us(const std::vector<OwnStream>& lanes, const OwnStream& first) const {
    const auto stream = [&](std::uint32_t lane) { return (lane == 0 ? first : lanes[lane]).get(); };
    return timed_us([&] {
      for (const Step& step : job.steps) {
        operation_of(step, scratch[step.lane]).enqueue(stream(step.lane));
      }
      for (std::uint32_t lane = 0; lane < job.workload.lanes; ++lane) {
        check(cudaStreamSynchronize(stream(lane)));
      }
    });
  }

  PinnedBuffer host;
  Job job;
  LaneScratch scratch;
};

class PriorityLanes : public Experiment {
 public:
  std::vector<Condition> conditions() override {
    std::vector<Condition> all;
    for (const Workload& workload : presets()) {
      if (!includes(presets_tried, workload.name)) continue;
      const auto pass = std::make_shared<Pass>(workload);
      all.push_back({alike(workload.name), [=, this] { return pass->us(low_, low_[0]); }});
      all.push_back({first(workload.name), [=, this] { return pass->us(low_, high_); }, {[this] {
                       return timed_us([] {});
                     }}});
    }
    return all;
  }

  static Conclusion conclude(const Readings& r) {
    return Conclusion(presets_tried, [&](const std::string& preset) -> CaseAnswer {
      return {
          preset, r.costs_more(alike(preset), first(preset), 1.1, 1.05),
          fmt::format("a pass of {} takes {} with lanes alike, {} if the first has a high priority",
                      preset, r.time(alike(preset)), r.time(first(preset)))};
    });
  }

 private:
  std::vector<OwnStream> low_ = low_streams(4);
  OwnStream high_ = make_stream(Priority::high);
};

const Enrolled<PriorityLanes> enrolled(
    {.name = "priority_lanes",
     .subject = Subject::order,
     .text = "Does a pass on several lanes gain if one lane has a high priority?",
     .claim = "Priorities let a pipeline overlap better.",
     .meaning =
         "If not, leave the priorities of a pipeline's streams alike. They help one piece of "
         "work past another, and a pass needs all of its own.",
     .documentation = "The programming guide calls a priority a hint for pending work.",
     .not_modelled = "stream priorities"});

}  // namespace trilane::priority_lanes
