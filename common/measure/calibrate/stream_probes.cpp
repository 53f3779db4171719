
#include "common/measure/calibrate/bed.hpp"
#include "common/measure/gpu/crew.hpp"
#include "common/model/workload/random.hpp"

namespace trilane {
namespace {

// The host itself writes up to 24 KiB of a copy in into the stream; larger copies cost it less. A
// memset of more than 4 KiB is a kernel.
constexpr std::array<std::uint64_t, 8> enqueue_sizes{4,        4 << 10,  17 << 8, 24 << 10,
                                                     28 << 10, 64 << 10, 1 << 20, 1 << 24};
constexpr std::uint32_t calls_in_a_row = 100;  // without a wait

/// Returns the time to read the clock twice, which is subtracted from measured calls.
double clock_us() {
  return median_of(1001, [] { return timed_us([] {}); });
}

/// Returns the median time of `action` on each kind of stage, without the clock's. Calls it with
/// random kinds and the number of the call.
template <typename Action>
StageTable by_kind(const Bed& bed, std::uint32_t calls, double clock, Action action) {
  std::array<std::vector<double>, stage_kinds> times;
  Random random(calls);
  for (std::uint32_t i = 0; i < calls; ++i) {
    const Kind kind = all_stages[random.below(stage_kinds)];
    times[index_of(kind)].push_back(timed_us([&] { action(kind, i); }) - clock);
    if (i % calls_in_a_row == calls_in_a_row - 1) bed.synchronize();
  }
  StageTable medians;
  std::ranges::transform(times, medians.begin(), [](const auto& us) { return median(us); });
  return medians;
}

/// Times each call separately while the device works on random stages on all lanes, and then calls
/// in a row, which take longer together than each by itself.
void measure_enqueue(Bed& bed, Profile& profile, std::uint64_t bytes, double clock) {
  const auto enqueue = [&](Kind kind, std::uint32_t i) {
    bed.enqueue(kind, i % Bed::lanes, bytes);
  };
  const std::uint32_t rows = bytes > (1 << 20) ? 2 : 20;
  const StageTable us = by_kind(bed, rows * calls_in_a_row, clock, enqueue);
  Random random(rows);
  const double longer = median_of(static_cast<int>(rows), [&] {
    std::array<Kind, calls_in_a_row> kinds;
    std::ranges::generate(kinds, [&] { return all_stages[random.below(stage_kinds)]; });
    double separately_us = 0;
    for (Kind kind : kinds) separately_us += us[index_of(kind)];
    const double row_us = timed_us([&] {
      for (std::uint32_t i = 0; i < calls_in_a_row; ++i) enqueue(kinds[i], i);
    });
    bed.synchronize();
    return row_us / separately_us;
  });
  for (std::size_t kind = 0; kind < stage_kinds; ++kind) {
    profile.stream.enqueue[kind].push_back({bytes, longer * us[kind]});
  }
}

void measure_calls(Bed& bed, Profile& profile, double clock) {
  std::vector<double> record, wait;
  const Event event = make_ordering_event();
  for (std::uint32_t i = 0; i < 500; ++i) {
    const std::uint32_t lane = i % Bed::lanes;
    bed.enqueue(all_stages[lane], lane);
    const cudaStream_t stream = bed.all_lanes()[lane];
    record.push_back(timed_us([&] { check(cudaEventRecord(event.get(), stream)); }) - clock);
    wait.push_back(timed_us([&] { check(cudaStreamWaitEvent(bed.origin(), event.get(), 0)); }) -
                   clock);
    if (i % 50 == 49) bed.synchronize();
  }
  profile.calls_us["cudaEventRecord"] = median(record);
  profile.calls_us["cudaStreamWaitEvent"] = median(wait);
  profile.calls_us["cudaStreamSynchronize"] =
      bed.host_us(101, [&] { check(cudaStreamSynchronize(bed.origin())); }) - clock;
  profile.calls_us["cudaStreamQuery"] =
      bed.host_us(101, [&] { check(cudaStreamQuery(bed.origin())); }) - clock;
}

/// Returns the device's time for one operation of a kind, without its latency.
double duration(const Profile& profile, Kind kind) {
  if (kind == Kind::kernel) return profile.engine.kernel_spacing_us;
  return at_size(profile.engine.duration[index_of(kind)], Bed::small);
}

/// Returns the host's time for operations on one stream and a wait. A long kernel precedes them, so
/// that all of them are enqueued before the device reaches them.
double wall_us(Bed& bed, std::initializer_list<Kind> kinds) {
  constexpr std::uint32_t long_rounds = 2000, small_words = Bed::small / sizeof(std::uint32_t);
  constexpr int readings = 31;
  const cudaStream_t stream = bed.all_lanes()[0];
  return bed.host_us(readings, [&] {
    bed.kernel(0, small_words, small_words, long_rounds).enqueue(stream);
    for (Kind kind : kinds) bed.enqueue(kind, 0, Bed::small);
    check(cudaStreamSynchronize(stream));
  });
}

void measure_latency(Bed& bed, Profile& profile) {
  for (Kind before : all_stages) {
    const double without = wall_us(bed, {before});
    for (Kind kind : all_stages) {
      const double more = wall_us(bed, {before, kind}) - without;
      profile.stream.latency_us[index_of(before)][index_of(kind)] =
          std::max(0.0, more - duration(profile, kind));
    }
  }
}

/// Takes the gap between kernels out of the times of memsets that are kernels: they were measured
/// in a row.
void separate_gaps(Profile& profile) {
  const double gap_us = profile.stream.latency_us[index_of(Kind::kernel)][index_of(Kind::kernel)];
  for (SizeCost& memset : profile.engine.duration[index_of(Kind::memset)]) {
    if (memset.bytes < profile.stream.kernel_memset_bytes()) continue;
    memset.us = std::max(0.0, memset.us - gap_us);
  }
}

/// Measures one operation and a wait on an idle device, which works during the waiting call.
void measure_start(Bed& bed, Profile& profile, double clock) {
  const StageTable us = by_kind(bed, 1000, clock, [&](Kind kind, std::uint32_t) {
    bed.enqueue(kind, 0, Bed::small);
    check(cudaStreamSynchronize(bed.all_lanes()[0]));
  });
  for (Kind kind : all_stages) {
    const double enqueue = at_size(profile.stream.enqueue[index_of(kind)], Bed::small);
    profile.stream.start_us[index_of(kind)] =
        std::max(0.0, us[index_of(kind)] - enqueue - duration(profile, kind));
  }
}

/// Returns the interval at which a copy polls for the end of a kernel in front of it. The time from
/// one end to the other changes with the kernel's length like a sawtooth of that height, of which
/// the middle half of the values covers half.
double look_us(Bed& bed) {
  constexpr std::uint32_t few = 500, step = 14, many = few + 128 * step;  // rounds: 9 to 41 us
  constexpr std::uint64_t words = Bed::small / sizeof(std::uint32_t);
  constexpr double least_us = 0.1;
  const auto kernel = [&](std::uint32_t rounds) { return bed.kernel(0, words, words, rounds); };
  const Growth alone =
      growth(few, bed.in_a_row_us(8, kernel(few)), many, bed.in_a_row_us(8, kernel(many)));
  std::vector<double> after;
  for (std::uint32_t rounds = few; rounds < many; rounds += step) {
    const double us = bed.host_us(7, [&] {
      const cudaStream_t stream = bed.all_lanes()[0];
      kernel(rounds).enqueue(stream);
      bed.enqueue(Kind::copy_out, 0);
      check(cudaStreamSynchronize(stream));
    });
    after.push_back(us - rounds * alone.node_us);
  }
  return std::max(least_us, 2 * (quantile(after, 0.75) - quantile(after, 0.25)));
}

/// Compares a chain of kernels that changes the stream at every step with one that does not.
void measure_across(Bed& bed, Profile& profile) {
  constexpr int steps = 100;
  const Event event = make_ordering_event();
  Operation kernel = bed.operation(Kind::kernel, 0, Bed::small);
  const double across = bed.device_us([&](cudaStream_t origin) {
    const cudaStream_t other = bed.all_lanes()[0];
    for (int i = 0; i < steps; ++i) {
      const cudaStream_t from = i % 2 == 0 ? origin : other, to = i % 2 == 0 ? other : origin;
      check(cudaEventRecord(event.get(), from));
      check(cudaStreamWaitEvent(to, event.get(), 0));
      kernel.enqueue(to);
    }
  });
  const double along = bed.in_a_row_us(steps, kernel);
  profile.stream.across_us = std::max(0.0, across / steps - along);
}

/// Returns the host's time to enqueue an operation in each of `threads` that begin together, each
/// on a lane of its own.
double enqueue_us(Bed& bed, std::uint32_t threads) {
  constexpr std::uint32_t calls = 200;
  std::vector<double> us(threads);
  Crew crew(threads);
  return median_of(15, [&] {
    std::atomic<std::uint32_t> ready = 0;
    crew.run([&](std::uint32_t thread) {
      ++ready;
      while (ready < threads) continue;
      us[thread] = timed_us([&] {
        for (std::uint32_t i = 0; i < calls; ++i) bed.enqueue(all_stages[i % stage_kinds], thread);
      });
    });
    bed.synchronize();
    return mean(us) / calls;
  });
}

double thread_share(Bed& bed) {
  const double more = enqueue_us(bed, Bed::lanes) / enqueue_us(bed, 1) - 1;
  return std::clamp(more / (Bed::lanes - 1), 0.0, 1.0);
}

}  // namespace

void measure_streams(Bed& bed, Profile& profile) {
  const double clock = clock_us();
  for (std::uint64_t bytes : enqueue_sizes) measure_enqueue(bed, profile, bytes, clock);
  measure_calls(bed, profile, clock);
  measure_latency(bed, profile);
  separate_gaps(profile);
  measure_start(bed, profile, clock);
  measure_across(bed, profile);
  profile.stream.thread_share = thread_share(bed);
  profile.stream.look_us = look_us(bed);
}

}  // namespace trilane
