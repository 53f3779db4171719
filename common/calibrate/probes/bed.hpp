// The test bed of a calibration: lanes and buffers, and ways to time work on them.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "common/analysis/statistics/statistics.hpp"
#include "common/device/flavour.hpp"
#include "common/device/profile/kinds.hpp"
#include "common/gpu/lanes.hpp"
#include "common/gpu/runtime/gated_timer.hpp"

namespace trilane {

class Bed {
 public:
  static constexpr std::uint32_t lanes = 4;
  static constexpr std::uint64_t lane_bytes = 16 << 20;  ///< of each of a lane's buffers
  static constexpr std::uint64_t smallest =
      4;  ///< bytes of an operation that has only its fixed cost

  Bed();

  /// Enqueues an operation of a stage's kind on `stream`, on that lane's buffers. A kernel is
  /// transform_each with one round.
  void enqueue(Kind kind, std::uint32_t lane, std::uint64_t bytes, cudaStream_t stream);
  /// The same on the lane's stream.
  void enqueue(Kind kind, std::uint32_t lane, std::uint64_t bytes = smallest) {
    enqueue(kind, lane, bytes, lanes_[lane]);
  }
  /// Enqueues a kernel on that lane's buffers. `outputs` of 0 means as many as words.
  void kernel(std::uint32_t lane, std::uint64_t words, std::uint64_t outputs, std::uint32_t rounds,
              cudaStream_t stream);

  cudaStream_t origin() const { return origin_.get(); }
  const Lanes& all_lanes() const { return lanes_; }

  /// The device time of what `issue` enqueues on the origin, or on lanes that it forks and joins,
  /// as GatedTimer measures it. The fastest of several readings, in microseconds. Throws
  /// LaunchesBlock.
  double device_us(const std::function<void(cudaStream_t origin)>& issue);
  /// The same on lanes that are forked and joined around it.
  double device_us_on_lanes(const std::function<void(std::uint32_t lane)>& issue,
                            std::uint32_t count = lanes);

  /// The host's time for `action`, the median of `readings`. The device is idle before each.
  double host_us(int readings, const std::function<void()>& action);

  void synchronize();

 private:
  double behind_gate(const std::function<void()>& issue);

  std::vector<DeviceBuffer> in_, out_;
  std::vector<PinnedBuffer> host_in_, host_out_;
  Lanes lanes_;
  Stream origin_;
  GatedTimer timer_;
};

}  // namespace trilane
