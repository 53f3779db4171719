#include "common/measure/harness/bench/stage_watchdog.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>

#include "common/base/console/last_message.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/base/text/quoting.hpp"
#include "common/base/text/size.hpp"

namespace trilane {

StageWatchdog::StageWatchdog(const Pipeline& pipeline, double limit_us)
    : pipeline_(pipeline), limit_us_(limit_us), thread_([this] { watch(); }) {}

StageWatchdog::~StageWatchdog() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void StageWatchdog::start(const Step& step) {
  {
    const std::lock_guard lock(mutex_);
    running_ = true;
    ++turn_;
    place_ = step.place;
    chunk_ = step.chunk;
  }
  changed_.notify_one();
}

void StageWatchdog::stop() {
  const std::lock_guard lock(mutex_);
  running_ = false;
}

void StageWatchdog::watch() {
  const auto limit = std::chrono::duration<double, std::micro>(limit_us_);
  std::unique_lock lock(mutex_);
  while (!ended_) {
    changed_.wait(lock, [this] { return running_ || ended_; });
    const std::uint64_t turn = turn_;
    const bool over = !changed_.wait_for(lock, limit, [&] { return ended_ || turn_ != turn; });
    if (over && running_ && turn_ == turn) give_up();
  }
}

void StageWatchdog::give_up() const {
  const StageSpec& stage = pipeline_.stages[place_];
  give_last_message(
      "trilane",
      fmt::format("{}: {} {} of chunk {} has run for {} s and was given up; let it end, or give "
                  "it more time with --kernel-limit",
                  pipeline_.file, name_of(stage.stage), in_quotes(stage.name), chunk_,
                  limit_us_ / 1e6));
  std::_Exit(exit_wrong);
}

}  // namespace trilane
