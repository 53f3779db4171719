#include "common/application/replay/replay_bench.hpp"

#include "common/application/iteration/call_segments.hpp"
#include "common/application/iteration/call_traits.hpp"
#include "common/base/console/interrupt.hpp"
#include "common/base/text/exit_code.hpp"

namespace trilane {

namespace {

/// Number of consecutive passes from one start. In the application, too, each iteration continues
/// from the previous one. But a device-side counter, for example, may not run on for ever.
constexpr std::uint32_t passes_from_start = 8;

std::string in_words(const std::vector<MemoryDifference>& differences, const char* where) {
  if (differences.empty()) return {};
  const MemoryDifference& first = differences.front();
  return fmt::format("wrong data: {} bytes of {} {} differ, the first at byte {}", first.bytes,
                     where, first.memory, first.offset);
}

}  // namespace

ReplayBench::ReplayBench(const TakenIteration& taken, std::vector<ReplayWay> ways,
                         const Expected& expected, std::uint32_t others)
    : taken_(taken),
      ways_(std::move(ways)),
      expected_(expected),
      waits_for_all_(waits_for_all(taken.recording)),
      runs_ahead_(runs_ahead(taken.recording)),
      waits_(
          any_call(taken.recording,
                   [&](const RecordedCall& call) { return ends_segment(call, taken.recording); })),
      start_(expected.before, stream_of(taken)),
      begin_(make_own_event(CU_EVENT_DEFAULT)),
      end_(make_own_event(CU_EVENT_DEFAULT)),
      hands_over_(!taken.inherited.empty()),
      stream_(stream_of(taken)),
      candidates_(ways_.size()),
      since_start_(passes_from_start) {
  if (others == 0) return;
  FreeStreams streams = free_streams(taken);
  for (std::uint32_t i = 0; i < others; ++i) others_.emplace_back(taken, streams);
  team_.emplace(others);
}

double ReplayBench::set_up(std::size_t candidate) {
  const double start_us = now();
  Threads& threads = candidates_[candidate];
  threads.push_back(make_candidate(ways_[candidate], taken_));
  for (const OtherThread& other : others_) {
    threads.push_back(make_candidate(ways_[candidate], other.taken()));
  }
  return now() - start_us;
}

void ReplayBench::run(std::size_t candidate, double& issuing_us) {
  const Threads& threads = candidates_[candidate];
  if (!team_) return threads.front()->run(issuing_us);
  std::vector<double> issuing(threads.size());
  team_->run([&](std::size_t thread) {
    for (std::uint32_t i = 0; i < passes_side_by_side; ++i) threads[thread]->run(issuing[thread]);
  });
  issuing_us += issuing.front();
}

std::uint32_t ReplayBench::iterations(std::size_t candidate) const {
  return candidates_[candidate].front()->iterations() * (team_ ? passes_side_by_side : 1);
}

void ReplayBench::begin_anew(const Threads& threads) const {
  TRILANE_DRIVER(cuCtxSynchronize);
  start_.restore();
  for (const OtherThread& other : others_) other.take_content();
  for (const auto& one : threads) one->restart();
}

void ReplayBench::begin_anew(std::size_t candidate) {
  begin_anew(candidates_[candidate]);
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
  run(candidate, sample.submit_us);
  if (!waits_for_all_) TRILANE_DRIVER(cuCtxSynchronize);
  sample.wall_us = now() - start_us;
  if (waits_for_all_) TRILANE_DRIVER(cuCtxSynchronize);  // it costs time even with nothing to do
  since_start_ += iterations(candidate);
  return of_iteration(sample, iterations(candidate));
}

Sample ReplayBench::of_iteration(Sample sample, std::uint32_t iterations) {
  sample.wall_us /= iterations;
  sample.submit_us /= iterations;
  return sample;
}

/// Times passes without a replay's own wait between two of them.
Sample ReplayBench::timed_ahead(std::size_t candidate, std::uint32_t batch) {
  Sample sample;
  double filling_us = 0;
  const std::uint32_t to_fill = waits_ ? passes_to_fill : 0;
  for (std::uint32_t i = 0; i < to_fill; ++i) run(candidate, filling_us);
  const double start_us = now();
  const std::uint32_t runs = runs_in(batch, candidate);
  for (std::uint32_t i = 0; i < runs; ++i) run(candidate, sample.submit_us);
  if (!waits_) TRILANE_DRIVER(cuCtxSynchronize);
  sample.wall_us = now() - start_us;
  if (waits_) TRILANE_DRIVER(cuCtxSynchronize);
  return of_iteration(sample, runs * iterations(candidate));
}

/// Returns the number of runs that make a batch; one if its iterations are not issued back to back.
std::uint32_t ReplayBench::runs_in(std::uint32_t batch, std::size_t candidate) const {
  const std::uint32_t each = iterations(candidate);
  return runs_ahead_ ? (batch + each - 1) / each : 1;
}

Sample ReplayBench::without_events(std::size_t candidate, std::uint32_t batch) {
  stop_if_interrupted();
  start_samples(candidate);
  double warming_us = 0;
  if (team_) run(candidate, warming_us);
  return runs_ahead_ ? timed_ahead(candidate, batch) : timed(candidate);
}

double ReplayBench::between_events_us(std::size_t candidate, std::uint32_t batch) {
  stop_if_interrupted();
  start_samples(candidate);
  const std::uint32_t runs = runs_in(batch, candidate);
  const std::uint32_t passes = runs * iterations(candidate);
  double issuing_us = 0;
  TRILANE_DRIVER(cuEventRecord, begin_.get(), stream_);
  for (std::uint32_t i = 0; i < runs; ++i) run(candidate, issuing_us);
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
  if (iterations(candidate) > 1) return check_several(candidate);
  begin_anew(candidate);
  Candidate& only = *candidates_[candidate].front();
  only.host().poison();
  timed(candidate);
  const Snapshot memory(expected_.after.memory());
  const Snapshot outputs(only.outputs());
  const std::string wrong =
      in_words(expected_.after.differences(memory, expected_.uncertain), "device memory");
  if (!wrong.empty()) return wrong;
  return in_words(expected_.outputs.differences(outputs, expected_.uncertain_outputs),
                  hands_over_ ? "output" : "the copy to host memory");
}

ReplayBench::Left ReplayBench::left_by_same(std::uint32_t iterations) const {
  Threads same;
  same.push_back(make_candidate(ReplayWay::calls, taken_));
  begin_anew(same);
  same.front()->host().poison();
  double issuing_us = 0;
  for (std::uint32_t i = 0; i < iterations; ++i) same.front()->run(issuing_us);
  TRILANE_DRIVER(cuCtxSynchronize);
  return {Snapshot(expected_.after.memory()), Snapshot(same.front()->outputs())};
}

std::string ReplayBench::check_several(std::size_t candidate) {
  const Left expected = left_by_same(iterations(candidate));
  const auto wrong = [&](const Left& other) {
    const std::string text = in_words(expected.memory.differences(other.memory), "device memory");
    return text.empty()
               ? in_words(expected.outputs.differences(other.outputs), "the copy to host memory")
               : text;
  };
  const Threads& threads = candidates_[candidate];
  begin_anew(threads);
  for (const auto& one : threads) one->host().poison();
  double issuing_us = 0;
  run(candidate, issuing_us);
  TRILANE_DRIVER(cuCtxSynchronize);
  since_start_ = passes_from_start;
  std::string found = wrong({Snapshot(expected_.after.memory()), Snapshot(threads[0]->outputs())});
  for (std::size_t i = 0; i < others_.size() && found.empty(); ++i) {
    found = wrong({Snapshot(others_[i].taken().kept), Snapshot(threads[i + 1]->outputs())});
  }
  if (found.empty() || wrong(left_by_same(iterations(candidate))).empty()) return found;
  throw NotPossible(fmt::format("{} iterations of the same calls leave other bytes from run to run",
                                iterations(candidate)));
}

double ReplayBench::tear_down(std::size_t candidate) {
  const double start_us = now();
  candidates_[candidate].clear();
  return now() - start_us;
}

}  // namespace trilane
