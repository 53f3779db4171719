// Times of single stages on the device, for the probe.
#pragma once

#include <initializer_list>

#include "common/measure/gpu/lanes.hpp"
#include "common/measure/gpu/recording.hpp"
#include "common/measure/gpu/runtime/gated_timer.hpp"

namespace trilane {

/// The stages to time.
using Stages = std::initializer_list<Stage>;

/// Times stages of a job behind a gate. Every time is the fastest of several readings, in
/// microseconds. Runs only part of a long job, so that it fits into a stream's queue, and leaves
/// out a shorter last chunk. All functions throw CudaError and LaunchesBlock, and Interrupted after
/// a signal. If the job is split, alone_us(), host_us() and kernel_us() must not be called: they
/// use one stream.
class StageTimer {
 public:
  explicit StageTimer(const Job& job);

  /// The issue of stages: call by call, or as one launch of a graph of them.
  enum class By { calls, graph };

  /// Returns the time of the chosen stages of one chunk, one after the other on one stream. A short
  /// pass is timed several times in a row, so that its start and end hardly count.
  double alone_us(Stages stages, By by = By::calls);

  /// Returns the time per chunk on all lanes, or on fewer if that is faster, because many
  /// concurrent chunks may not fit into a cache. Nothing in a pass can be faster than the fastest
  /// of these.
  double steady_us(Stages stages, By by = By::calls);

  struct Duplex {
    double in_us, out_us;
  };

  /// Returns the times per chunk of concurrent copies in and out, each on its own lanes.
  Duplex duplex();

  /// Returns the host time of one call that issues such a stage while the device works.
  double host_us(Stages stages);

  /// Returns the time of one kernel on the first chunk with that many rounds.
  double kernel_us(std::uint32_t rounds);

  /// Returns the ratio of a chunk's kernels to those that are timed; above 1 only in very deep
  /// chunks.
  double depth_scale() const;

 private:
  bool has(Stages stages) const;

  using StreamOf = std::function<cudaStream_t(std::uint32_t lane)>;

  double device_us(const Issue& issue, By by, bool kernels_side_by_side = false) const;
  void on_lanes(Stages stages, const Lanes& lanes, std::uint32_t used, cudaStream_t origin);
  double fastest_part(const std::function<double(std::uint32_t used)>& time) const;
  std::uint32_t issue(Stages stages, std::uint32_t chunks, const StreamOf& stream_of);

  const Job& job_;
  std::vector<Step> steps_;  // chunk after chunk, whatever the order: best for caching
  Lanes lanes_, other_lanes_;
  LaneScratch scratch_;
  Stream origin_, other_;
  GatedTimer timer_;
  Event other_stop_;
  std::uint32_t kernels_;         // issued kernels of a chunk
  std::uint32_t chunks_, alone_;  // chunks issued on all lanes, and on one stream
  std::uint32_t repeats_;         // number of repetitions
};

}  // namespace trilane
