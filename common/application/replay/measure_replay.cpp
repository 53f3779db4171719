#include "common/application/replay/measure_replay.hpp"

#include "common/application/iteration/call_segments.hpp"
#include "common/application/iteration/call_traits.hpp"
#include "common/application/replay/replay_bench.hpp"
#include "common/application/replay/replayed_memory.hpp"
#include "common/base/text/enumerators.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/explain/statistics/statistics.hpp"
#include "common/measure/rounds/contest.hpp"
#include "common/measure/rounds/harness.hpp"

namespace trilane {

namespace {

/// Above this share of uncertain bytes among those that an iteration changes, nothing is claimed.
constexpr double much = 0.5;

/// Number of runs of the same calls that are compared with one another.
constexpr int runs_compared = 3;

void name_uncertain(const Uncertain& uncertain, const Snapshot& snapshot, const char* where,
                    std::vector<UncertainMemory>& named) {
  const std::vector<std::uint64_t> bytes = uncertain.bytes();
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const std::uint64_t all = snapshot.memory()[i].bytes;
    if (bytes[i] == 0) continue;
    named.push_back({fmt::format("{} {}", where, i), std::min(bytes[i], all), all});
  }
}

std::uint64_t total(const std::vector<std::uint64_t>& bytes) {
  return std::accumulate(bytes.begin(), bytes.end(), std::uint64_t{0});
}

void run_from(const Restorer& start, Candidate& candidate) {
  TRILANE_DRIVER(cuCtxSynchronize);
  start.restore();
  candidate.restart();
  candidate.host().poison();
  double issuing_us = 0;
  candidate.run(issuing_us);
  TRILANE_DRIVER(cuCtxSynchronize);
}

/// Returns the start, the end, and the uncertain bytes at the end, by running the same calls
/// several times. `before` is the start. Memory must hold the end, and holds something else
/// afterwards. Throws NotPossible if the same calls leave other bytes than the application did.
Expected expected_of(const TakenIteration& taken, Snapshot before) {
  Snapshot after(before.memory());
  const Restorer start(before, stream_of(taken));
  const auto candidate = make_candidate(ReplayWay::calls, taken);
  run_from(start, *candidate);
  Snapshot first(before.memory()), outputs(candidate->outputs());
  Uncertain uncertain, uncertain_outputs;
  for (int i = 1; i < runs_compared; ++i) {
    run_from(start, *candidate);
    uncertain.add(first, Snapshot(before.memory()));
    uncertain_outputs.add(outputs, Snapshot(candidate->outputs()));
  }
  auto missed = after.differences(first, uncertain);
  const bool left = missed.empty();
  if (left) {
    missed = Snapshot(candidate->left_by_application()).differences(outputs, uncertain_outputs);
  }
  if (!missed.empty()) {
    throw NotPossible(fmt::format(
        "the same calls leave other bytes than the application did, {} of them in {} memory {}: "
        "the result differs from run to run, or something else changes memory, such as the "
        "host through a mapped pointer",
        missed.front().bytes, left ? "handed-over" : "device", missed.front().memory));
  }
  return {std::move(before), std::move(after), std::move(uncertain), std::move(outputs),
          std::move(uncertain_outputs)};
}

std::vector<UncertainMemory> named_uncertain(const Expected& expected) {
  std::vector<UncertainMemory> named;
  name_uncertain(expected.uncertain, expected.after, "device memory", named);
  const std::vector<MemoryFacts>& outputs = expected.outputs.memory();
  const bool hands_over = !outputs.empty() && on_device(outputs.front().kind);
  name_uncertain(expected.uncertain_outputs, expected.outputs,
                 hands_over ? "output" : "the copy to host memory", named);
  return named;
}

double uncertain_share(const Expected& expected) {
  Uncertain changed = expected.uncertain;
  changed.add(expected.before, expected.after);
  const std::uint64_t outputs = bytes_of(expected.outputs.memory());
  const auto all = static_cast<double>(total(changed.bytes()) + outputs);
  const auto not_sure =
      static_cast<double>(total(expected.uncertain.bytes()) +
                          std::min(outputs, total(expected.uncertain_outputs.bytes())));
  return all > 0 ? not_sure / all : 0;
}

Comparison comparison_of(const TakenIteration& taken, const std::vector<ReplayWay>& ways,
                         std::uint64_t seed) {
  Comparison comparison;
  comparison.workload = workload_of(taken.recording);
  comparison.reference = name_of(ReplayWay::calls);
  comparison.seed = seed;
  if (runs_ahead(taken.recording)) {
    comparison.mode = Mode::throughput;
    comparison.batch = passes_in_batch;
  }
  for (const ReplayWay way : ways) {
    Measurement measurement;
    measurement.variant = name_of(way);
    measurement.plan = plan_of(way, taken);
    measurement.message = why_not(way, taken);
    measurement.status = measurement.message.empty() ? Status::ok : Status::not_supported;
    comparison.measurements.push_back(std::move(measurement));
  }
  return comparison;
}

std::optional<Watched> watched_in(const ApplicationRecording& recording, double cupti_us) {
  if (recording.watched_us.empty()) return std::nullopt;
  Watched watched{.cupti_us = cupti_us};
  for (const double us : recording.watched_us) watched.times.push_back({.process = 0, .us = us});
  return watched;
}

void compare(const TakenIteration& taken, const std::vector<ReplayWay>& ways,
             const Expected& expected, const ReplaySettings& settings, Comparison& comparison,
             std::uint32_t others = 0) {
  ReplayBench bench(taken, ways, expected, others);
  HarnessSettings rounds{.seconds = settings.seconds};
  rounds.judge = Contest(settings.precision, rounds.min_rounds);
  run_comparison(bench, comparison, rounds, {});
}

/// Compares all candidates in as many threads at once as make the same calls; if that is not
/// possible, in one, and the record says why.
Comparison compared(const TakenIteration& taken, const Expected& expected,
                    const ReplaySettings& settings, ReplayRecord& record) {
  const std::vector<ReplayWay> ways(enumerators<ReplayWay>.begin(), enumerators<ReplayWay>.end());
  const auto compared_beside = [&](std::uint32_t others) {
    Comparison comparison = comparison_of(taken, ways, settings.seed);
    // The application has its host functions, so nothing is compared with it.
    if (taken.skipped_host_functions == 0) {
      comparison.watched = watched_in(taken.recording, record.cupti_us);
    }
    compare(taken, ways, expected, settings, comparison, others);
    return comparison;
  };
  const auto& issuing = taken.recording.issuing;
  const std::uint32_t alike = issuing ? issuing->alike.value_or(0) : 0;
  const std::uint32_t others = std::min(alike, most_side_by_side - 1);
  if (others == 0) return compared_beside(0);
  try {
    require_side_by_side(taken, others, settings.most_snapshot_bytes);
    Comparison comparison = compared_beside(others);
    const Measurement& calls = comparison.measurements.front();
    if (calls.status == Status::ok) {
      record.threads = others + 1;
      return comparison;
    }
    record.alone_because = calls.message;
  } catch (const std::exception& error) {
    record.alone_because = error.what();
  }
  return compared_beside(0);
}

/// Each comparison has its own seed, and sets both sides up anew.
void compare_with_itself(const TakenIteration& taken, const Expected& expected,
                         const ReplaySettings& settings, std::vector<Comparison>& all) {
  const std::vector<ReplayWay> ways(2, ReplayWay::calls);
  for (std::uint32_t i = 0; i < settings.repeats; ++i) {
    Comparison& comparison = all.emplace_back(comparison_of(taken, ways, settings.seed + i));
    comparison.measurements.back().variant += "_again";
    compare(taken, ways, expected, settings, comparison);
  }
}

std::vector<double> times_of_calls(const TakenIteration& taken, const Expected& expected) {
  constexpr int first = 3, least = 8, all = 30;
  constexpr double most_us = 5e4;
  const std::uint32_t batch = runs_ahead(taken.recording) ? passes_in_batch : 1;
  ReplayBench bench(taken, {ReplayWay::calls}, expected);
  bench.set_up(0);
  std::vector<double> times;
  const double end_us = bench.now() + most_us;
  for (int i = 0; i < all && (i < least || bench.now() < end_us); ++i) {
    const double us = bench.sample(0, batch).wall_us;
    if (i >= first) times.push_back(us);
  }
  std::ranges::sort(times);
  return times;
}

/// Returns the time that CUPTI adds if three quarters of either sample do not overlap, or else 0.
double added_us(const std::vector<double>& beside, const std::vector<double>& alone) {
  const bool apart = beside[beside.size() / 4] > alone[3 * alone.size() / 4];
  return apart ? median(beside) - median(alone) : 0;
}

/// Returns the lengths of the same calls' operations on the device; none if they cannot be timed.
DeviceLengths lengths_of(const TakenIteration& taken, const Expected& expected) {
  constexpr int runs_timed = 6;  // one more than is counted: the last one's times are not asked for
  try {
    const Restorer start(expected.before, stream_of(taken));
    const auto candidate = make_timed_calls(taken);
    for (int i = 0; i < runs_timed; ++i) run_from(start, *candidate);
    return candidate->lengths();
  } catch (const std::exception&) {  // the candidates may do without
    TRILANE_DRIVER(cuCtxSynchronize);
    return {};
  }
}

void measure(const TakenIteration& taken, Snapshot before, const ReplaySettings& settings,
             const std::function<void()>& alone,
             const std::function<void(const DeviceLengths&)>& timed, ReplayRecord& record) {
  const std::vector<double> gaps = own_gaps(taken.recording);
  record.host_us = std::accumulate(gaps.begin(), gaps.end(), 0.0);
  record.overlaps = !waits_for_all(taken.recording);
  record.queried = taken.recording.queried;
  record.in_kind = taken.recording.found == Found::in_kind;
  record.skipped_host_functions = taken.skipped_host_functions;
  const Expected expected = expected_of(taken, std::move(before));
  // The tracer makes calls slower still, and the application was watched before it.
  const bool compares = !any_call(
      taken.recording, [](const RecordedCall& call) { return call.device_us.has_value(); });
  std::vector<double> beside;
  if (compares) beside = times_of_calls(taken, expected);
  alone();
  if (compares) record.cupti_us = added_us(beside, times_of_calls(taken, expected));
  if (compares && taken.skipped_host_functions == 0) timed(lengths_of(taken, expected));
  record.uncertain = named_uncertain(expected);
  const double share = uncertain_share(expected);
  if (share > much) {
    record.refusal = fmt::format(
        "{:.0f}% of the bytes that an iteration changes differ from run to run of the same calls, "
        "so no candidate can be checked",
        100 * share);
    return;
  }
  if (settings.repeats > 0) {
    return compare_with_itself(taken, expected, settings, record.with_itself);
  }
  record.comparison = compared(taken, expected, settings, record);
}

std::vector<MemoryFacts> known_at_start(const TakenIteration& taken) {
  std::vector<MemoryFacts> known = taken.kept;
  for (const InheritedMemory& memory : taken.inherited) {
    known.push_back({MemoryKind::pool, memory.address, memory.content.size()});
  }
  return known;
}

/// Restores memory when the device is idle, which it is not after a call that failed half-way.
/// Keeps an earlier reason, which may be why that fails.
void bring_back(const Snapshot& end, const ApplicationPools& pools, ReplayRecord& record) {
  try {
    TRILANE_DRIVER(cuCtxSynchronize);
    end.restore();
    pools.give_back();
  } catch (const std::exception& error) {
    const std::string earlier = record.refusal.empty() ? "" : record.refusal + "; ";
    record.refusal =
        fmt::format("{}the application's memory could not be restored: {}", earlier, error.what());
    record.comparison.reset();
  }
}

}  // namespace

ReplayRecord measure_replay(const TakenIteration& taken, Snapshot before,
                            const ReplaySettings& settings, const std::function<void()>& alone,
                            const std::function<void(const DeviceLengths&)>& timed) {
  ReplayRecord record;
  record.snapshot_bytes = bytes_of(before.memory());
  bool is_alone = false;
  const auto be_alone = [&] {
    if (!std::exchange(is_alone, true)) alone();
  };
  try {
    TRILANE_DRIVER(cuCtxSynchronize);
    // Before memory is read: an iteration that no replay can repeat may have released some of it.
    static_cast<void>(ReplayedIteration(taken, HostKind::as_recorded));
    require_kept(taken.observed, known_at_start(taken));
    const Snapshot end(before.memory());
    const ApplicationPools pools(taken.observed);
    try {
      measure(taken, std::move(before), settings, be_alone, timed, record);
    } catch (const std::exception& error) {
      record.refusal = error.what();
    }
    bring_back(end, pools, record);
  } catch (const std::exception& error) {
    record.refusal = error.what();
  }
  try {
    be_alone();
  } catch (const std::exception& error) {
    record.refusal = error.what();
  }
  return record;
}

}  // namespace trilane
