// A crew: host threads that wait for work, one for each lane.
#pragma once

#include "common/std.hpp"

namespace trilane {

class HostThreads;

class Crew {
 public:
  /// Starts `members` threads on the caller's current device.
  explicit Crew(std::uint32_t members);
  ~Crew();

  /// Runs `work(member)` on every member and waits for all of them. Rethrows the exception of the
  /// lowest-numbered member that threw.
  void run(const std::function<void(std::uint32_t)>& work);

 private:
  void dismiss();
  void serve(std::uint32_t member);

  std::mutex mutex_;
  std::condition_variable called_, finished_;
  const std::function<void(std::uint32_t)>* work_ = nullptr;
  HostThreads* at_once_ = nullptr;
  // Changed under the mutex, polled without it.
  std::atomic<std::uint64_t> calls_ = 0;  // of run() so far
  std::atomic<std::uint32_t> still_busy_ = 0;
  std::atomic<bool> dismissed_ = false;
  std::vector<std::exception_ptr> errors_;
  std::vector<std::jthread> threads_;
};

}  // namespace trilane
