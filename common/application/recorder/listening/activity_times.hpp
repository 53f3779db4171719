// Takes device times of operations from CUPTI's activity records.
#pragma once

#include <vector>

#include "common/application/finding/core/application_recorder.hpp"

namespace trilane {

/// Takes records from start() to stop(). All functions throw NotPossible.
class ActivityTimes {
 public:
  void start();
  void stop();
  bool running() const { return running_; }

  /// Returns the times of the operations that CUPTI knows to be done, since the last call, by the
  /// call that issued them. A graph launch counts from its first operation to its last. Blocks some
  /// milliseconds.
  std::vector<DeviceTime> take() const;

 private:
  bool running_ = false;
  double offset_us_ = 0;  ///< from CUPTI's clock to the recorder's
};

}  // namespace trilane
