// Times operations on the device without CUPTI, while a replay repeats an iteration's calls.
#pragma once

#include "common/application/replay/driver_handles.hpp"

namespace trilane {

/// Lengths of operations on the device in us, by call. Absent for calls that were not timed.
using DeviceLengths = std::vector<std::optional<double>>;

/// Holds each operation back in its stream until its call has returned, so that the host's time is
/// not part of what two events around it measure. The time between two events alone is subtracted.
class OperationTimer : boost::noncopyable {
 public:
  /// Throws NotPossible if a stream cannot wait for a value in memory.
  explicit OperationTimer(std::size_t calls);

  /// Times what `issue` puts into the stream. It must not wait for the device. If it does, as with
  /// CUDA_LAUNCH_BLOCKING=1, nothing is held back or timed any more.
  void time(std::size_t call, CUstream stream, const std::function<void()>& issue);
  /// Adds the times of the pass that has ended. The device must be idle.
  void end_pass();
  /// Returns the median of the passes.
  DeviceLengths lengths() const;

 private:
  struct Events {
    OwnEvent before, begin, end;
  };

  void open(std::uint32_t number);
  void open_what_blocks(const std::stop_token& stop);

  OwnHostMemory gate_;  ///< the number of the latest operation that may begin
  std::vector<Events> events_;
  std::vector<std::size_t> timed_;  ///< calls of this pass
  std::vector<std::vector<double>> lengths_us_;
  std::uint32_t number_ = 0;
  std::atomic<std::uint32_t> held_ = 0;  ///< the number of the operation held back; 0: none
  std::atomic<bool> blocks_ = false;
  std::jthread guard_;  ///< the last member: it uses the others
};

}  // namespace trilane
