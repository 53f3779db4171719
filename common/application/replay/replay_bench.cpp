#include "common/application/replay/replay_bench.hpp"

#include "common/application/iteration/call_segments.hpp"
#include "common/application/iteration/call_traits.hpp"
#include "common/application/iteration/observed_call.hpp"
#include "common/base/console/interrupt.hpp"

namespace trilane {

namespace {

/// Number of consecutive passes from one start. In the application, too, each iteration continues
/// from the previous one. But a device-side counter, for example, may not run on for ever.
constexpr std::uint32_t passes_from_start = 8;

bool any_wait(const ApplicationRecording& recording) {
  return any_call(recording,
                  [&](const RecordedCall& call) { return ends_segment(call, recording); });
}

std::string in_words(const std::vector<MemoryDifference>& differences, const char* where) {
  if (differences.empty()) return {};
  const MemoryDifference& first = differences.front();
  return fmt::format("wrong data: {} bytes of {} {} differ, the first at byte {}", first.bytes,
                     where, first.memory, first.offset);
}

}  // namespace

ReplayBench::ReplayBench(const TakenIteration& taken, std::vector<ReplayWay> ways,
                         const Expected& expected)
    : taken_(taken),
      ways_(std::move(ways)),
      expected_(expected),
      waits_for_all_(waits_for_all(taken.recording)),
      runs_ahead_(runs_ahead(taken.recording)),
      waits_(any_wait(taken.recording)),
      start_(expected.before, stream_of(taken)),
      begin_(make_own_event(CU_EVENT_DEFAULT)),
      end_(make_own_event(CU_EVENT_DEFAULT)),
      hands_over_(!taken.inherited.empty()),
      stream_(stream_of(taken)),
      candidates_(ways_.size()),
      since_start_(passes_from_start) {}

double ReplayBench::set_up(std::size_t candidate) {
  const double start_us = now();
  candidates_[candidate] = make_candidate(ways_[candidate], taken_);
  return now() - start_us;
}

void ReplayBench::begin_anew(std::size_t candidate) {
  TRILANE_DRIVER(cuCtxSynchronize);
  start_.restore();
  candidates_[candidate]->restart();
  latest_ = candidate;
  since_start_ = 0;
}

double ReplayBench::pass(std::size_t candidate) {
  stop_if_interrupted();
  begin_anew(candidate);
  return timed(candidate).wall_us;
}

Sample ReplayBench::timed(std::size_t candidate) {
  Sample sample;
  const double start_us = now();
  candidates_[candidate]->run(sample.submit_us);
  if (!waits_for_all_) TRILANE_DRIVER(cuCtxSynchronize);
  sample.wall_us = now() - start_us;
  if (waits_for_all_) TRILANE_DRIVER(cuCtxSynchronize);  // it costs time even with nothing to do
  ++since_start_;
  return sample;
}

/// Times passes without a replay's own wait between two of them.
Sample ReplayBench::timed_ahead(std::size_t candidate, std::uint32_t batch) {
  Sample sample;
  double filling_us = 0;
  const std::uint32_t to_fill = waits_ ? passes_to_fill : 0;
  for (std::uint32_t i = 0; i < to_fill; ++i) candidates_[candidate]->run(filling_us);
  const double start_us = now();
  for (std::uint32_t i = 0; i < batch; ++i) candidates_[candidate]->run(sample.submit_us);
  if (!waits_) TRILANE_DRIVER(cuCtxSynchronize);
  sample.wall_us = (now() - start_us) / batch;
  if (waits_) TRILANE_DRIVER(cuCtxSynchronize);
  sample.submit_us /= batch;
  return sample;
}

Sample ReplayBench::without_events(std::size_t candidate, std::uint32_t batch) {
  stop_if_interrupted();
  start_samples(candidate);
  return runs_ahead_ ? timed_ahead(candidate, batch) : timed(candidate);
}

double ReplayBench::between_events_us(std::size_t candidate, std::uint32_t batch) {
  stop_if_interrupted();
  start_samples(candidate);
  const std::uint32_t passes = runs_ahead_ ? batch : 1;
  double issuing_us = 0;
  TRILANE_DRIVER(cuEventRecord, begin_.get(), stream_);
  for (std::uint32_t i = 0; i < passes; ++i) candidates_[candidate]->run(issuing_us);
  TRILANE_DRIVER(cuCtxSynchronize);
  TRILANE_DRIVER(cuEventRecord, end_.get(), stream_);
  TRILANE_DRIVER(cuStreamSynchronize, stream_);
  float ms = 0;
  TRILANE_DRIVER(cuEventElapsedTime, &ms, begin_.get(), end_.get());
  since_start_ += passes;
  return 1e3 * static_cast<double>(ms) / passes;
}

/// Starts anew if passes are issued back to back, and otherwise after some passes. What passes hand
/// to each other belongs to their candidate.
void ReplayBench::start_samples(std::size_t candidate) {
  const bool others = latest_ != candidate && hands_over_;
  if (runs_ahead_ || others || since_start_ >= passes_from_start) begin_anew(candidate);
}

std::string ReplayBench::check(std::size_t candidate, std::uint32_t) {
  begin_anew(candidate);
  candidates_[candidate]->host().poison();
  timed(candidate);
  const Snapshot memory(expected_.after.memory());
  const Snapshot outputs(candidates_[candidate]->outputs());
  const std::string wrong =
      in_words(expected_.after.differences(memory, expected_.uncertain), "device memory");
  if (!wrong.empty()) return wrong;
  return in_words(expected_.outputs.differences(outputs, expected_.uncertain_outputs),
                  hands_over_ ? "output" : "the copy to host memory");
}

double ReplayBench::host_us() { return host_work_us(); }

std::vector<Count> ReplayBench::evidence(std::size_t candidate) {
  return candidates_[candidate]->evidence();
}

double ReplayBench::tear_down(std::size_t candidate) {
  const double start_us = now();
  candidates_[candidate].reset();
  return now() - start_us;
}

bool ReplayBench::lost() { return driver().cuCtxSynchronize() != CUDA_SUCCESS; }

double ReplayBench::now() { return recorder_now_us(); }

}  // namespace trilane
