#include "common/harness/probe.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "common/gpu/gate.hpp"
#include "common/gpu/lane_scratch.hpp"
#include "common/gpu/lanes.hpp"
#include "common/harness/limit.hpp"

namespace trilane {

namespace {

constexpr int readings = 7;
constexpr double patience_s = 1;  // of a gate; enqueuing takes milliseconds

// Per lane, behind the gate; the host blocks at about 1,000.
constexpr std::uint32_t most_queued = 400;

using Filter = std::function<bool(Stage)>;

bool is_copy_in(Stage stage) { return stage == Stage::copy_in; }
bool is_copy_out(Stage stage) { return stage == Stage::copy_out; }
bool is_clear(Stage stage) { return stage == Stage::clear; }
bool is_transform(Stage stage) { return stage == Stage::transform; }
bool is_work(Stage stage) { return is_clear(stage) || is_transform(stage); }

Operation operation(const Step& step, const Scratch& scratch) {
  switch (step.stage) {
    case Stage::copy_in: return copy_in(step, scratch);
    case Stage::clear: return clear(step, scratch);
    case Stage::transform: return transform(step, scratch);
    default: return copy_out(step, scratch);
  }
}

class Probe {
 public:
  explicit Probe(const Job& job)
      : job_(job),
        lanes_(job.workload.used_lanes()),
        other_lanes_(job.workload.used_lanes()),
        scratch_(job.workload, job.workload.used_lanes()),
        origin_(make_stream()),
        other_(make_stream()),
        start_(make_timing_event()),
        stop_(make_timing_event()),
        other_stop_(make_timing_event()),
        kernels_(std::min(job.workload.depth, most_queued / 2)) {
    const std::uint32_t per_lane = most_queued / (1 + kernels_);
    chunks_ = std::min(job.workload.chunks(), per_lane * job.workload.used_lanes());
    alone_ = std::min(chunks_, per_lane);
    // Stages are timed one kind at a time: what kernels and copies out read has to be there before.
    issue([](Stage stage) { return is_copy_in(stage) || is_clear(stage); }, job.workload.chunks(),
          [this](auto) { return origin_.get(); });
    check(cudaStreamSynchronize(origin_.get()));
  }

  /// One chunk's stages of that kind, one after the other on one stream.
  double alone_us(const Filter& stages) {
    return fastest_of([&] {
             return behind_gate(
                 [&] { issue(stages, alone_, [this](auto) { return origin_.get(); }); });
           }) /
           alone_;
  }

  /// The same per chunk on all lanes.
  double steady_us(const Filter& stages) {
    return fastest_of(
               [&] { return behind_gate([&] { on_lanes(stages, lanes_, origin_.get()); }); }) /
           chunks_;
  }

  struct Duplex {
    double in_us, out_us;
    double longer() const { return std::max(in_us, out_us); }
  };

  /// Copies in and out at once, on lanes of their own; per chunk and direction.
  Duplex duplex() {
    std::vector<Duplex> all(readings);
    std::ranges::generate(all, [this] {
      const double in = behind_gate([this] {
        check(cudaStreamWaitEvent(other_.get(), start_.get(), 0));
        on_lanes(is_copy_out, other_lanes_, other_.get());
        check(cudaEventRecord(other_stop_.get(), other_.get()));
        on_lanes(is_copy_in, lanes_, origin_.get());
      });
      check(cudaStreamSynchronize(other_.get()));
      return Duplex{in / chunks_, elapsed_us(other_stop_) / chunks_};
    });
    return *std::ranges::min_element(all, {}, &Duplex::longer);
  }

  /// One kernel of the first chunk with that many rounds.
  double kernel_us(std::uint32_t rounds) {
    Step step = *std::ranges::find(job_.steps, Stage::transform, &Step::stage);
    step.rounds = rounds;
    constexpr int kernels = 4;
    return fastest_of([&] {
             return behind_gate([&] {
               for (int i = 0; i < kernels; ++i)
                 transform(step, scratch_[0]).enqueue(origin_.get());
             });
           }) /
           kernels;
  }

  /// Kernels of a chunk over those that are issued: very deep chunks are timed in part.
  double depth_scale() const { return double{1} * job_.workload.depth / kernels_; }

 private:
  /// The device time of what `enqueue` puts on the origin, queued in full before it starts.
  double behind_gate(const std::function<void()>& enqueue) {
    Gate gate(patience_s);
    gate.close(origin_.get());
    check(cudaEventRecord(start_.get(), origin_.get()));
    enqueue();
    check(cudaEventRecord(stop_.get(), origin_.get()));
    const bool held = gate.open();
    check(cudaStreamSynchronize(origin_.get()));
    if (!held) throw LaunchesBlock();
    return elapsed_us(stop_);
  }

  double elapsed_us(const Event& stop) const {
    float ms = 0;
    check(cudaEventElapsedTime(&ms, start_.get(), stop.get()));
    return double{ms} * 1000;
  }

  void on_lanes(const Filter& stages, const Lanes& lanes, cudaStream_t origin) {
    lanes.fork(origin);
    issue(stages, chunks_, [&lanes](std::uint32_t lane) { return lanes[lane]; });
    lanes.join(origin);
  }

  template <typename StreamOf>
  void issue(const Filter& stages, std::uint32_t chunks, StreamOf stream_of) {
    for (const Step& step : job_.steps) {
      if (step.chunk >= chunks || step.kernel >= kernels_ || !stages(step.stage)) continue;
      operation(step, scratch_[step.lane]).enqueue(stream_of(step.lane));
    }
  }

  template <typename Reading>
  double fastest_of(Reading reading) {
    std::vector<double> all(readings);
    std::ranges::generate(all, reading);
    return *std::ranges::min_element(all);
  }

  const Job& job_;
  Lanes lanes_, other_lanes_;
  LaneScratch scratch_;
  Stream origin_, other_;
  Event start_, stop_, other_stop_;
  std::uint32_t kernels_;         // of a chunk that are issued
  std::uint32_t chunks_, alone_;  // chunks that are issued on all lanes, on one stream
};

}  // namespace

LaunchesBlock::LaunchesBlock()
    : std::runtime_error(
          "launches wait for the device here (CUDA_LAUNCH_BLOCKING or a sanitizer)") {}

Limit probe_limit(const Job& job) {
  Probe probe(job);
  const double chunk_in = static_cast<double>(job.workload.bytes) / job.workload.chunks();
  const double chunk_out = static_cast<double>(job.workload.result_total()) / job.workload.chunks();
  constexpr double bytes_per_us_in_gbps = 1e-3;
  const Probe::Duplex duplex = probe.duplex();
  Limit limit{
      .in_gbps = chunk_in / probe.steady_us(is_copy_in) * bytes_per_us_in_gbps,
      .out_gbps = chunk_out / probe.steady_us(is_copy_out) * bytes_per_us_in_gbps,
      .duplex_in_gbps = chunk_in / duplex.in_us * bytes_per_us_in_gbps,
      .duplex_out_gbps = chunk_out / duplex.out_us * bytes_per_us_in_gbps,
      .copy_in_us = probe.alone_us(is_copy_in),
      .clear_us = probe.alone_us(is_clear),
      .kernels_us = probe.alone_us(is_transform) * probe.depth_scale(),
      .copy_out_us = probe.alone_us(is_copy_out),
      .steady_in_us = duplex.in_us,
      .steady_work_us = probe.steady_us(is_work) * probe.depth_scale(),
      .steady_out_us = duplex.out_us,
  };
  derive_bounds(limit, job.workload.chunks());
  return limit;
}

Limit fastest(const Limit& one, const Limit& other, std::uint32_t chunks) {
  Limit both = one;
  for (auto rate :
       {&Limit::in_gbps, &Limit::out_gbps, &Limit::duplex_in_gbps, &Limit::duplex_out_gbps}) {
    both.*rate = std::max(one.*rate, other.*rate);
  }
  for (auto time : {&Limit::copy_in_us, &Limit::clear_us, &Limit::kernels_us, &Limit::copy_out_us,
                    &Limit::steady_in_us, &Limit::steady_work_us, &Limit::steady_out_us}) {
    both.*time = std::min(one.*time, other.*time);
  }
  derive_bounds(both, chunks);
  return both;
}

std::uint32_t rounds_for(const Job& job, double kernel_us) {
  constexpr double most = 1e9;
  Probe probe(job);
  // The time is a constant and a share per round: find a number of rounds that the share
  // dominates, then correct twice along the line.
  double rounds = 64;
  double time = probe.kernel_us(static_cast<std::uint32_t>(rounds));
  while (!(time >= kernel_us / 2) && rounds < most / 4) {
    rounds *= 2;
    time = probe.kernel_us(static_cast<std::uint32_t>(rounds));
  }
  const double constant = probe.kernel_us(1);
  for (int i = 0; i < 2; ++i) {
    const double per_round = std::max((time - constant) / rounds, 1e-6);
    rounds = std::clamp(std::round((kernel_us - constant) / per_round), 1.0, most);
    time = probe.kernel_us(static_cast<std::uint32_t>(rounds));
  }
  return static_cast<std::uint32_t>(rounds);
}

}  // namespace trilane
