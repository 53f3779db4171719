// The test bed of a calibration, which times work on lanes and buffers, and the parts of a
// calibration in the order of their dependencies.
#pragma once

#include "common/device/flavour/flavour.hpp"
#include "common/explain/statistics/statistics.hpp"
#include "common/measure/gpu/lanes.hpp"
#include "common/measure/gpu/operation.hpp"
#include "common/measure/gpu/runtime/gated_timer.hpp"

namespace trilane {

/// A time that grows linearly with the number of nodes. Neither part is negative.
struct Growth {
  double constant_us, node_us;
};

/// Returns the growth from the times for `few` and for `many` nodes.
Growth growth(int few, double few_us, int many, double many_us);

/// Returns the median of `count` readings.
template <typename Reading>
double median_of(int count, Reading reading) {
  std::vector<double> all(static_cast<std::size_t>(count));
  std::ranges::generate(all, reading);
  return median(all);
}

/// Evicts the driver from the caches of the host's core, as other work does between the calls of a
/// set-up. They take longer then, creating a pool more than twice as long.
void evict_host_caches();

class Bed {
 public:
  static constexpr std::uint32_t lanes = 4;
  static constexpr std::uint64_t lane_bytes = 16 << 20;  ///< of each of a lane's buffers
  static constexpr std::uint64_t small = 4 << 10;  ///< bytes of the smallest chunks of a pipeline
  static constexpr std::uint64_t smallest = 4;     ///< bytes: only the fixed cost is left

  Bed();

  /// Returns a stage's operation on that lane's buffers. A kernel is transform_each with one round.
  Operation operation(Kind kind, std::uint32_t lane, std::uint64_t bytes) const;
  /// Returns a kernel on that lane's buffers.
  Operation kernel(std::uint32_t lane, std::uint64_t words, std::uint64_t outputs,
                   std::uint32_t rounds) const;
  /// Returns a kernel that moves bytes of the first lane from one memory to another, over the link
  /// where they are the host's: kernels/move.hpp, or fused_each from host to host.
  Operation moving(cudaMemcpyKind direction, std::uint64_t bytes) const;
  /// Enqueues an operation on the lane's stream.
  void enqueue(Kind kind, std::uint32_t lane, std::uint64_t bytes = smallest) const {
    operation(kind, lane, bytes).enqueue(lanes_[lane]);
  }

  cudaStream_t origin() const { return origin_.get(); }
  const Lanes& all_lanes() const { return lanes_; }

  /// Returns the device time of what `issue` enqueues on the origin, or on lanes that it forks and
  /// joins, by GatedTimer: the fastest of several readings, in microseconds. Throws LaunchesBlock.
  double device_us(const std::function<void(cudaStream_t origin)>& issue) const;
  /// Returns the time of one of `count` operations in a row on one stream.
  double in_a_row_us(std::uint32_t count, Operation operation) const;
  /// Returns the same with `count` operations on every lane.
  double on_lanes_us(std::uint32_t count,
                     const std::function<Operation(std::uint32_t lane)>& operation_of) const;

  /// Returns the host's time for `action` on an idle device, the median of `readings`.
  double host_us(int readings, const std::function<void()>& action) const;

  void synchronize() const;

 private:
  std::vector<DeviceBuffer> in_, out_;
  std::vector<PinnedBuffer> host_in_, host_out_;
  Lanes lanes_;
  Stream origin_;
  GatedTimer timer_;
};

/// Measures profile.engine.
void measure_engines(Bed& bed, Profile& profile);

/// Measures profile.stream and the calls that order streams. Needs the engines.
void measure_streams(Bed& bed, Profile& profile);

/// Measures the host's time for a batch of copies.
void measure_batches(Bed& bed, Profile& profile);

/// Measures profile.kernels. Needs the streams.
void measure_kernels(Bed& bed, Profile& profile);

/// Measures profile.memory and the calls that create and destroy streams, events and pools.
void measure_memory(Bed& bed, Profile& profile);

/// Measures profile.graph and the calls of graphs and captures. Needs the streams and the memory.
void measure_graphs(Bed& bed, Profile& profile);

/// Measures calls that create, set and update nodes, and chains: "launch of 64 kernel nodes".
void measure_nodes(Bed& bed, Profile& profile);

/// Returns the first of `profiles`, with every measured figure replaced by the median over all of
/// them. There must be at least one profile, and all must have the same figures.
Profile middle(const std::vector<Profile>& profiles);

}  // namespace trilane
