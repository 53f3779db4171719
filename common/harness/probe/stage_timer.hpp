// Times of single stages on the device, without the host's share: what the probe is made of.
#pragma once

#include <cstdint>
#include <functional>

#include "common/gpu/lanes.hpp"
#include "common/gpu/runtime/gated_timer.hpp"
#include "common/gpu/scratch/lane_scratch.hpp"
#include "common/workload/steps.hpp"

namespace trilane {

/// Which stages are timed.
using StageFilter = std::function<bool(Stage)>;

/// Runs stages of a job by themselves, queued behind a gate and timed between events. Every figure
/// is the fastest of several readings, in microseconds. Long jobs are timed in part, so that what
/// waits behind the gate fits into a stream's queue. All functions throw CudaError, and
/// LaunchesBlock where nothing can be queued.
class StageTimer {
 public:
  explicit StageTimer(const Job& job);

  /// One chunk's stages of that kind, one after the other on one stream.
  double alone_us(const StageFilter& stages);

  /// The same per chunk on all lanes.
  double steady_us(const StageFilter& stages);

  struct Duplex {
    double in_us, out_us;
  };

  /// Copies in and out at once, on lanes of their own; per chunk and direction.
  Duplex duplex();

  /// The host's time for one call, of those that put these stages on the lanes while the device
  /// works on them.
  double host_us(const StageFilter& stages);

  /// One kernel of the first chunk with that many rounds.
  double kernel_us(std::uint32_t rounds);

  /// Kernels of a chunk over those that are timed: very deep chunks are timed in part.
  double depth_scale() const;

 private:
  using StreamOf = std::function<cudaStream_t(std::uint32_t lane)>;

  double behind_gate(const std::function<void()>& enqueue);
  void on_lanes(const StageFilter& stages, const Lanes& lanes, cudaStream_t origin);
  std::uint32_t issue(const StageFilter& stages, std::uint32_t chunks, const StreamOf& stream_of);

  const Job& job_;
  Lanes lanes_, other_lanes_;
  LaneScratch scratch_;
  Stream origin_, other_;
  GatedTimer timer_;
  Event other_stop_;
  std::uint32_t kernels_;         // of a chunk that are issued
  std::uint32_t chunks_, alone_;  // chunks that are issued on all lanes, on one stream
};

}  // namespace trilane
