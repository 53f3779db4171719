#include "common/measure/harness/stage_timer.hpp"

#include "common/base/console/interrupt.hpp"
#include "common/device/flavour/flavour.hpp"
#include "common/explain/analysis/verdict/pipelined.hpp"

namespace trilane {
namespace {

/// Many readings of short work, whose times vary most, and fewer of long work.
struct Readings {
  std::size_t fewest, most;
  double enough_us;  ///< total
};
constexpr Readings some{3, 7, 10e3};
/// Concurrent kernels share the SMs differently each time: those of one pass took from 5.15 to 5.49
/// ms, and the shortest of three readings was 5.53 (two reductions on an H200).
constexpr Readings many{5, 15, 60e3};

// With this many chunks, the first start and the last end, a few microseconds, hardly count. Long
// chunks are not worth the wait.
constexpr std::uint32_t enough_chunks = 8;
constexpr double long_us = 200;

// Operations per lane behind the gate. The host blocks at about 1,000.
constexpr std::uint32_t most_queued = 400;

/// Chunks of this many bytes show a rate, and two per lane show lanes at work.
constexpr std::uint64_t enough_bytes = 1 << 30;

std::uint32_t chunks_worth_timing(const Workload& workload) {
  const std::uint64_t chunk_bytes = std::max<std::uint64_t>(workload.chunk_bytes, 1);
  const std::uint64_t chunks =
      std::max<std::uint64_t>(enough_bytes / chunk_bytes, 2 * workload.used_lanes());
  // The last chunk may be shorter than the others.
  const auto full = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(exact_chunks(workload)));
  return static_cast<std::uint32_t>(std::min(chunks, full));
}

template <typename Reading>
double fastest_of(const Readings& readings, Reading reading) {
  double fastest = std::numeric_limits<double>::infinity(), all = 0;
  for (std::size_t i = 0; i < readings.most && (i < readings.fewest || all < readings.enough_us);
       ++i) {
    stop_if_interrupted();
    const double us = reading();
    fastest = std::min(fastest, us);
    all += us;
  }
  return fastest;
}

bool has_kernels(const Stages& stages) { return includes(stages, Stage::transform); }

}  // namespace

StageTimer::StageTimer(const Job& job)
    : job_(job),
      steps_(job.steps),
      lanes_(job.workload),
      other_lanes_(job.workload),
      scratch_(job.workload, job.workload.used_lanes()),
      origin_(make_stream()),
      other_(make_stream()),
      other_stop_(make_timing_event()),
      kernels_(std::min(job.workload.depth, most_queued / 2)) {
  std::ranges::stable_sort(steps_, {}, &Step::chunk);
  const StageCounts stages = job.workload.stages();
  const std::uint32_t most_together =
      std::max({stages.clears + kernels_, stages.copies_in, stages.copies_out, 1u});
  const std::uint32_t per_lane = most_queued / most_together;
  chunks_ = std::min(chunks_worth_timing(job.workload), per_lane * job.workload.used_lanes());
  if (chunks_ >= job.workload.gpu_count()) chunks_ -= chunks_ % job.workload.gpu_count();
  alone_ = std::min(chunks_, per_lane);
  repeats_ = 1;
  const auto run = [this](Stages chosen, std::uint32_t chunks) {
    const bool split = job_.workload.gpus.has_value();
    issue(chosen, chunks, [&](std::uint32_t lane) { return split ? lanes_[lane] : origin_.get(); });
    if (split) lanes_.join(origin_.get());
    check(cudaStreamSynchronize(origin_.get()));
  };
  // Kernels and copies out are timed alone, so their inputs must be written first.
  run({Stage::copy_in, Stage::clear}, job.workload.chunks());
  // Without a gate, because copies of pageable memory would wait for it.
  const double us = timed_us([&] { run({Stage::copy_in, Stage::transform}, alone_); });
  const std::uint32_t enough = enough_chunks * job.workload.gpu_count();
  if (us < long_us) repeats_ = std::clamp(std::min(enough, per_lane) / alone_, 1u, per_lane);
}

/// Returns the time of the work that `issue` puts on the origin, or on lanes that it forks and
/// joins.
double StageTimer::device_us(const Issue& issue, By by, bool kernels_side_by_side) const {
  std::optional<Recording> recording;
  if (by == By::graph) recording.emplace(issue);
  const auto enqueue = [&] { recording ? recording->launch(origin_.get()) : issue(origin_.get()); };
  return fastest_of(kernels_side_by_side ? many : some,
                    [&] { return timer_.time_us(origin_.get(), enqueue); });
}

double StageTimer::alone_us(Stages stages, By by) {
  if (!has(stages)) return 0;
  const auto on_one_stream = [&](cudaStream_t origin) {
    issue(stages, alone_, [origin](std::uint32_t) { return origin; });
  };
  return device_us(on_one_stream, by) / (alone_ * repeats_);
}

double StageTimer::steady_us(Stages stages, By by) {
  if (!has(stages)) return 0;
  return fastest_part([&](std::uint32_t used) {
    return device_us([&](cudaStream_t origin) { on_lanes(stages, lanes_, used, origin); }, by,
                     has_kernels(stages));
  });
}

StageTimer::Duplex StageTimer::duplex() {
  std::vector<Duplex> all(some.most);
  std::ranges::generate(all, [this] {
    stop_if_interrupted();
    const double in = timer_.time_us(origin_.get(), [this] {
      check(cudaStreamWaitEvent(other_.get(), timer_.start().get(), 0));
      on_lanes({Stage::copy_out}, other_lanes_, job_.workload.used_lanes(), other_.get());
      check(cudaEventRecord(other_stop_.get(), other_.get()));
      on_lanes({Stage::copy_in}, lanes_, job_.workload.used_lanes(), origin_.get());
    });
    check(cudaStreamSynchronize(other_.get()));
    const std::uint32_t copies = chunks_ * repeats_;
    return Duplex{in / copies, elapsed_us(timer_.start(), other_stop_) / copies};
  });
  return std::ranges::min(all, {}, [](const Duplex& d) { return std::max(d.in_us, d.out_us); });
}

double StageTimer::host_us(Stages stages) {
  if (!has(stages)) return 0;
  return fastest_of(some, [&] {
    std::uint32_t calls = 0;
    const double us = timed_us([&] {
      calls = issue(stages, chunks_, [this](std::uint32_t lane) { return lanes_[lane]; });
    });
    check(cudaDeviceSynchronize());
    return us / calls;
  });
}

/// Returns true if a chunk has any of these stages.
bool StageTimer::has(Stages stages) const {
  return std::ranges::any_of(steps_,
                             [&](const Step& step) { return includes(stages, step.stage); });
}

double StageTimer::kernel_us(std::uint32_t rounds) {
  Step step = *std::ranges::find(job_.steps, Stage::transform, &Step::stage);
  step.rounds = rounds;
  constexpr int kernels = 4;
  const auto in_a_row = [&](cudaStream_t origin) {
    for (int i = 0; i < kernels; ++i) transform(step, scratch_[0]).enqueue(origin);
  };
  return device_us(in_a_row, By::calls) / kernels;
}

double StageTimer::depth_scale() const { return double{1} * job_.workload.depth / kernels_; }

/// Returns the shortest time per chunk on all lanes, on a quarter of them, and so on.
double StageTimer::fastest_part(const std::function<double(std::uint32_t used)>& time) const {
  double fastest = std::numeric_limits<double>::infinity();
  const std::uint32_t all = job_.workload.used_lanes();
  for (std::uint32_t used = all; used > 0; used /= 4) {
    if (used < all && used % job_.workload.gpu_count() != 0) break;  // lanes keep their GPU
    const std::uint32_t queued = (chunks_ + used - 1) / used * repeats_ * (1 + kernels_);
    if (used < all && queued > 2 * most_queued) break;
    fastest = std::min(fastest, time(used));
  }
  return fastest / (chunks_ * repeats_);
}

/// Issues the stages on lanes. Work of lanes beyond the used ones goes to one of those.
void StageTimer::on_lanes(Stages stages, const Lanes& lanes, std::uint32_t used,
                          cudaStream_t origin) {
  lanes.fork(origin);
  issue(stages, chunks_, [&](std::uint32_t lane) { return lanes[lane % used]; });
  lanes.join(origin);
}

/// Returns the number of calls.
std::uint32_t StageTimer::issue(Stages stages, std::uint32_t chunks, const StreamOf& stream_of) {
  std::uint32_t calls = 0;
  for (std::uint32_t repeat = 0; repeat < repeats_; ++repeat) {
    for (const Step& step : steps_) {
      const bool chosen = includes(stages, step.stage);
      if (!chosen || step.chunk >= chunks || step.kernel >= kernels_) continue;
      operation_of(step, scratch_[step.lane]).enqueue(stream_of(step.lane));
      ++calls;
    }
  }
  return calls;
}

}  // namespace trilane
