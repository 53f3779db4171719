#include <algorithm>
#include <initializer_list>
#include <vector>

#include "common/calibrate/probes/probes.hpp"
#include "common/device/flavour.hpp"
#include "common/workload/random.hpp"

namespace trilane {

namespace {

/// Operations that pairs and starts are measured with: 4 KiB, as small as pipelines' chunks get.
constexpr std::uint64_t small = 4 << 10;

constexpr std::array<std::uint64_t, 5> enqueue_sizes{4, 4 << 10, 64 << 10, 1 << 20, 1 << 24};

template <typename Action>
double timed(Action action) {
  const double start = now_us();
  action();
  return now_us() - start;
}

/// What reading the clock twice takes: no part of a call.
double clock_us() {
  std::vector<double> times;
  for (int i = 0; i < 1001; ++i) times.push_back(timed([] {}));
  return median(times);
}

/// Every stage on every lane in turn, drawn at random, each call timed by itself while the device
/// works: as in a pipeline.
void measure_enqueue(Bed& bed, Profile& profile, std::uint64_t bytes, double clock) {
  std::array<std::vector<double>, stage_kinds> times;
  Random random(bytes);
  const int calls = bytes > (1 << 20) ? 200 : 2000;
  for (int i = 0; i < calls; ++i) {
    const Kind kind = all_stages[random.below(stage_kinds)];
    const std::uint32_t lane = static_cast<std::uint32_t>(i) % Bed::lanes;
    times[index_of(kind)].push_back(timed([&] { bed.enqueue(kind, lane, bytes); }) - clock);
    if (i % 100 == 99) bed.synchronize();
  }
  for (Kind kind : all_stages) {
    profile.stream.enqueue[index_of(kind)].push_back({bytes, median(times[index_of(kind)])});
  }
}

void measure_calls(Bed& bed, Profile& profile, double clock) {
  std::vector<double> record, wait;
  const Event event = make_ordering_event();
  for (int i = 0; i < 500; ++i) {
    const std::uint32_t lane = static_cast<std::uint32_t>(i) % Bed::lanes;
    bed.enqueue(all_stages[lane], lane);
    const cudaStream_t stream = bed.all_lanes()[lane];
    record.push_back(timed([&] { check(cudaEventRecord(event.get(), stream)); }) - clock);
    wait.push_back(timed([&] { check(cudaStreamWaitEvent(bed.origin(), event.get(), 0)); }) -
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

/// What the device needs for one operation of a kind, without what comes before it.
double duration(const Profile& profile, Kind kind) {
  if (kind == Kind::kernel) return profile.engine.kernel_spacing_us;
  return at_size(profile.engine.duration[index_of(kind)], small);
}

/// The host's time for operations on one stream and a wait. A long kernel goes before them: they
/// are all enqueued before the device comes to them, but not so many that it works ahead.
double wall_us(Bed& bed, std::initializer_list<Kind> kinds) {
  constexpr std::uint32_t long_rounds = 1000;
  constexpr int readings = 31;
  const cudaStream_t stream = bed.all_lanes()[0];
  return bed.host_us(readings, [&] {
    bed.kernel(0, small / sizeof(std::uint32_t), 0, long_rounds, stream);
    for (Kind kind : kinds) bed.enqueue(kind, 0, small);
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

/// One operation and a wait, after another one of any kind that has ended. What the wait's call
/// costs passes while the device works.
void measure_start(Bed& bed, Profile& profile, double clock) {
  std::array<std::vector<double>, stage_kinds> times;
  Random random(1);
  const cudaStream_t stream = bed.all_lanes()[0];
  for (int i = 0; i < 1000; ++i) {
    const Kind kind = all_stages[random.below(stage_kinds)];
    times[index_of(kind)].push_back(timed([&] {
                                      bed.enqueue(kind, 0, small);
                                      check(cudaStreamSynchronize(stream));
                                    }) -
                                    clock);
  }
  for (Kind kind : all_stages) {
    const double enqueue = at_size(profile.stream.enqueue[index_of(kind)], small);
    profile.stream.start_us[index_of(kind)] =
        std::max(0.0, median(times[index_of(kind)]) - enqueue - duration(profile, kind));
  }
}

/// A chain of kernels that changes the stream at every step, against one that stays.
void measure_across(Bed& bed, Profile& profile) {
  constexpr int steps = 100;
  const Event event = make_ordering_event();
  const auto kernel = [&](cudaStream_t stream) { bed.kernel(0, small / 4, 0, 1, stream); };
  const double across = bed.device_us([&](cudaStream_t origin) {
    const cudaStream_t other = bed.all_lanes()[0];
    for (int i = 0; i < steps; ++i) {
      const cudaStream_t from = i % 2 == 0 ? origin : other, to = i % 2 == 0 ? other : origin;
      check(cudaEventRecord(event.get(), from));
      check(cudaStreamWaitEvent(to, event.get(), 0));
      kernel(to);
    }
  });
  const double along = bed.device_us([&](cudaStream_t origin) {
    for (int i = 0; i < steps; ++i) kernel(origin);
  });
  profile.stream.across_us = std::max(0.0, (across - along) / steps);
}

}  // namespace

void measure_streams(Bed& bed, Profile& profile) {
  const double clock = clock_us();
  for (std::uint64_t bytes : enqueue_sizes) measure_enqueue(bed, profile, bytes, clock);
  measure_calls(bed, profile, clock);
  measure_latency(bed, profile);
  measure_start(bed, profile, clock);
  measure_across(bed, profile);
}

}  // namespace trilane
