// The activity of an application thread, as far as the listener knows.
#pragma once

#include <cstdint>

#include "common/application/finding/thread_time.hpp"

namespace trilane {

class ListeningSamples;

/// Plain, so that reading it takes a few instructions.
struct ThreadState {
  bool own = false;  ///< in the recorder itself, whose calls are not the application's
  bool ended_work = false;  ///< its latest call left no work pending that CUPTI has to record
  std::uint64_t number = 0;
  ListeningSamples* samples = nullptr;  ///< set while the recorder's own calls are a measurement
  ThreadTime time;
};
inline constinit thread_local ThreadState this_thread{};

/// While an instance exists, the thread's calls are the recorder's own.
class OwnCalls {
 public:
  OwnCalls() : before_(this_thread.own) { this_thread.own = true; }
  OwnCalls(const OwnCalls&) = delete;
  OwnCalls& operator=(const OwnCalls&) = delete;
  ~OwnCalls() { this_thread.own = before_; }

 private:
  const bool before_;
};

}  // namespace trilane
