// Ends the process if a stage does not finish.
#pragma once

#include <boost/core/noncopyable.hpp>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "common/model/workload/steps/steps.hpp"

namespace trilane {

class StageWatchdog : boost::noncopyable {
 public:
  StageWatchdog(const Pipeline& pipeline, double limit_us);
  ~StageWatchdog();

  /// Starts the time limit of a step. When it expires, a message on standard error names the step,
  /// and the process ends with exit_wrong.
  void start(const Step& step);
  void stop();

 private:
  void watch();
  [[noreturn]] void give_up() const;

  const Pipeline& pipeline_;
  double limit_us_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool running_ = false, ended_ = false;
  std::uint64_t turn_ = 0;  // of the step, to distinguish a new one from an old one
  std::uint32_t place_ = 0, chunk_ = 0;
  std::thread thread_;
};

}  // namespace trilane
