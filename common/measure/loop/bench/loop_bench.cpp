#include "common/measure/loop/bench/loop_bench.hpp"

#include <cuda_runtime_api.h>

#include "common/device/flavour/flavour.hpp"
#include "common/explain/analysis/trace/trace_summary.hpp"
#include "common/measure/gpu/runtime/check.hpp"
#include "common/measure/gpu/runtime/device.hpp"
#include "kernels/empty.hpp"

namespace trilane {
namespace {

/// While it lives, synchronising calls on the current device wait in this way; afterwards they spin
/// again. The constructor throws CudaError.
class DeviceWait : boost::noncopyable {
 public:
  explicit DeviceWait(Wait wait) { check(cudaSetDeviceFlags(flag_of(wait))); }
  ~DeviceWait() { warn(cudaSetDeviceFlags(flag_of(Wait::spin))); }
};

double cpu_us() { return static_cast<double>(std::clock()) * 1e6 / CLOCKS_PER_SEC; }

void ensure_right(Outcome outcome, std::uint32_t lane, std::uint64_t sequence) {
  switch (outcome) {
    case Outcome::right: return;
    case Outcome::other_item:
      throw WrongResult("lane {}: the result is another item's, not that of item {}", lane,
                        sequence);
    case Outcome::wrong:
      throw WrongResult("lane {}: the result of item {} is wrong", lane, sequence);
  }
}

/// Reads the number of items and their notification latencies. Call it after clock.finish().
void read_ends(const std::vector<LaneItems>& lanes, const DeviceClock& clock, LoopTurn& turn) {
  turn.clock_error_us = clock.error_us();
  for (const LaneItems& lane : lanes) {
    for (const ItemStamp& stamp : lane.stamps) {
      turn.told_us.push_back(stamp.told_us - clock.host_us(clock.device_us(stamp.end)));
    }
  }
  turn.items = turn.told_us.size();
}

/// Reads the restarts and the device's times from the starts and ends of such a run.
void read_starts(const std::vector<LaneItems>& lanes, const DeviceClock& clock, LoopTurn& turn) {
  Intervals busy;
  for (const LaneItems& lane : lanes) {
    double end_us = 0;  // of the item before
    for (const ItemStamp& stamp : lane.stamps) {
      const double start_us = clock.device_us(stamp.start);
      if (&stamp != &lane.stamps.front()) turn.restart_us.push_back(start_us - end_us);
      end_us = clock.device_us(stamp.end);
      busy += Interval(start_us, end_us);
    }
  }
  if (busy.empty()) return;  // on a clock that is too coarse for the items
  turn.span_us = length(hull(busy));
  turn.busy_us = length(busy);
}

}  // namespace

LaneCircuit::LaneCircuit(const Job& job, std::uint32_t lane, const Scratch& scratch,
                         Resubmission resubmission) {
  for (const Step& step : job.steps) {
    if (step.chunk == lane) operations_.push_back(operation_of(step, scratch));
  }
  switch (resubmission) {
    case Resubmission::streams: break;
    case Resubmission::graph: recording_.emplace([this](cudaStream_t s) { issue(s); }); break;
  }
}

void LaneCircuit::issue(cudaStream_t stream) {
  for (Operation& operation : operations_) operation.enqueue(stream);
}

void LaneCircuit::start() {
  if (recording_) {
    recording_->launch(stream());
  } else {
    issue(stream());
  }
}

std::uint32_t items_for(const Loop& loop) {
  constexpr double turn_us = 20e3;
  return static_cast<std::uint32_t>(
      std::clamp(turn_us / (loop.kernel_us + loop.analysis_us), 10.0, 100.0));
}

LoopBench::LoopBench(const Loop& loop, const Items& items, const NotificationEntry& notification,
                     Resubmission resubmission)
    : loop_(loop),
      items_(items),
      parameters_(make_pinned_buffer(loop.lanes * loop.in_bytes)),
      results_(make_pinned_buffer(loop.lanes * loop.out_bytes)),
      job_(workload_of(loop), parameters_.get(), results_.get()),
      scratch_(job_.workload, loop.lanes),
      wait_(notification.wait),
      lanes_(loop.lanes) {
  // A first result that is right only by the memory's earlier content would hide a missing copy.
  std::fill_n(results_.get(), loop.lanes * loop.out_bytes, std::byte{});
  for (std::uint32_t lane = 0; lane < loop.lanes; ++lane) {
    circuits_.push_back(std::make_unique<LaneCircuit>(job_, lane, scratch_[lane], resubmission));
    streams_.push_back(circuits_.back()->stream());
  }
  switch (notification.staff) {
    case Staff::one_thread: break;
    case Staff::thread_per_lane: crew_ = std::make_unique<Crew>(loop.lanes); break;
  }
  notification_ = notification.make(streams_);
}

/// Waits for the device: a failed turn leaves items in progress, which still use the lanes' memory.
LoopBench::~LoopBench() { cudaDeviceSynchronize(); }

void LoopBench::start(std::uint32_t lane) {
  const ItemStamp& stamp = lanes_[lane].stamps[lanes_[lane].done];
  items_.write(items_.sequence(lane, lanes_[lane].item), parameters_.get() + lane * loop_.in_bytes);
  if (stamps_ == Stamps::starts_and_ends) {
    check(cudaEventRecord(stamp.start.get(), streams_[lane]));
  }
  circuits_[lane]->start();
  check(cudaEventRecord(stamp.end.get(), streams_[lane]));
  notification_->mark(lane);
  if (stamps_ == Stamps::starts_and_ends) {
    // The queue of a copy engine works in order, so an event behind a copy out waits there for the
    // copies of other lanes, and thereby for their kernels. Behind a kernel it does not.
    Operation(KernelLaunch(empty_kernel(), 1, 1)).enqueue(streams_[lane]);
  }
}

void LoopBench::look(std::uint32_t lane) {
  const std::uint64_t sequence = items_.sequence(lane, lanes_[lane].item++);
  ensure_right(items_.take(sequence, results_.get() + lane * loop_.out_bytes), lane, sequence);
  spend_us(loop_.analysis_us);
}

void LoopBench::serve(std::vector<std::uint32_t> lanes, const TurnSettings& settings) {
  Watchdog watchdog(streams_, ended_, settings.interrupted, settings.patience_us);
  for (const std::uint32_t lane : lanes) start(lane);
  while (!lanes.empty()) {
    const std::uint32_t lane = notification_->next(lanes, watchdog);
    lanes_[lane].stamps[lanes_[lane].done].told_us = now_us();
    watchdog.told();
    look(lane);
    // Lanes are kept in the order of their starts, so that none waits because of its number.
    std::erase(lanes, lane);
    if (++lanes_[lane].done == lanes_[lane].stamps.size()) continue;
    start(lane);
    lanes.push_back(lane);
  }
}

void LoopBench::serve_all(const TurnSettings& settings) {
  if (!crew_) {
    std::vector<std::uint32_t> all(loop_.lanes);
    std::iota(all.begin(), all.end(), 0);
    return serve(all, settings);
  }
  crew_->run([&](std::uint32_t lane) {
    try {
      serve({lane}, settings);
    } catch (const LoopEnded&) {
      // Another thread has failed, and the crew throws its error.
    } catch (...) {
      ended_ = true;
      throw;
    }
  });
}

void LoopBench::run(const TurnSettings& settings, Stamps stamps) {
  for (LaneItems& lane : lanes_) {
    lane.stamps.resize(settings.items.value_or(items_for(loop_)));
    lane.done = 0;
  }
  stamps_ = stamps;
  serve_all(settings);
}

LoopTurn LoopBench::turn(const TurnSettings& settings) {
  const DeviceWait waiting(wait_);
  DeviceClock clock;
  LoopTurn turn;
  const double start_us = now_us(), start_cpu_us = cpu_us();
  run(settings, Stamps::ends);
  turn.wall_us = now_us() - start_us;
  if (!settings.simulated) turn.cpu_us = cpu_us() - start_cpu_us;
  check(cudaDeviceSynchronize());
  clock.finish();
  read_ends(lanes_, clock, turn);
  run(settings, Stamps::starts_and_ends);
  check(cudaDeviceSynchronize());
  read_starts(lanes_, clock, turn);
  return turn;
}

}  // namespace trilane
