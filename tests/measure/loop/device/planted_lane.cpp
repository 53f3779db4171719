#include "tests/measure/loop/device/planted_lane.hpp"

#include <cuda_runtime_api.h>

#include "common/device/flavour/flavour.hpp"
#include "common/measure/gpu/runtime/gated_timer.hpp"
#include "kernels/move.hpp"

namespace trilane {
namespace {

constexpr Loop one_lane{
    .name = "one", .lanes = 1, .in_bytes = 16384, .out_bytes = 4096, .kernel_us = 20, .rounds = 50};
constexpr double patience_us = 10e6;

/// An event or a word after the stream's work so far.
class Mark {
 public:
  explicit Mark(ToldBy by) : by_(by), flags_(1) {}

  void enqueue(cudaStream_t stream) {
    switch (by_) {
      case ToldBy::event: return check(cudaEventRecord(event_.get(), stream));
      case ToldBy::word:
        flags_.raise(0);
        Operation(clear_launch(flags_.on_device(0), sizeof(std::uint32_t))).enqueue(stream);
    }
  }

  void wait(cudaStream_t stream) {
    switch (by_) {
      case ToldBy::event: return check(cudaEventSynchronize(event_.get()));
      case ToldBy::word: {
        const std::vector<cudaStream_t> streams{stream};
        const std::atomic<bool> ended = false;
        Watchdog watchdog(
            streams, ended, [] { return false; }, patience_us);
        const std::uint32_t lane = 0;
        flags_.poll({&lane, 1}, watchdog);
      }
    }
  }

 private:
  ToldBy by_;
  LaneFlags flags_;
  Event event_ = make_ordering_event();
};

}  // namespace

Found take_when_told(ToldBy by, Told when) {
  const Items items(one_lane, 1);
  const PinnedBuffer in = make_pinned_buffer(one_lane.in_bytes);
  const PinnedBuffer out = make_pinned_buffer(one_lane.out_bytes);
  const Job job(workload_of(one_lane), in.get(), out.get());
  const LaneScratch scratch(job.workload, 1);
  const Stream stream = make_stream();
  Mark mark(by);
  Gate gate(patience_us / 1e6);

  items.write(0, in.get());
  std::fill_n(out.get(), one_lane.out_bytes, std::byte{});
  copy_in(job.steps[0], scratch[0]).enqueue(stream.get());
  clear(job.steps[1], scratch[0]).enqueue(stream.get());
  transform(job.steps[2], scratch[0]).enqueue(stream.get());
  if (when == Told::before_copy_out) {
    mark.enqueue(stream.get());
    gate.close(stream.get());
  }
  copy_out(job.steps[3], scratch[0]).enqueue(stream.get());
  if (when == Told::after_copy_out) mark.enqueue(stream.get());

  mark.wait(stream.get());
  Found found{.when_told = items.take(0, out.get()), .hazards = {}};
  if (when == Told::before_copy_out) gate.open();
  check(cudaStreamSynchronize(stream.get()));
  found.at_the_end = items.check(0, out.get());
  found.hazards = take_hazards();
  return found;
}

}  // namespace trilane
