// Runs an iteration in several threads at once, as an application does whose threads are alike.
#pragma once

#include <barrier>

#include "common/application/replay/replayed_iteration.hpp"

namespace trilane {

/// The most threads that run an iteration at once.
inline constexpr std::uint32_t most_side_by_side = 16;

/// Throws NotPossible if `others` cannot run the iteration beside this thread, for one because
/// their memory takes more than `most_bytes`.
void require_side_by_side(const TakenIteration& taken, std::uint32_t others,
                          std::uint64_t most_bytes);

/// The application's streams that no thread uses in a replay: a kernel in a new one could make its
/// graphs slower for good.
using FreeStreams = std::vector<CUstream>;

/// Returns those among the taken ones that the iteration does not use, in this context.
FreeStreams free_streams(const TakenIteration& taken);

/// A taken iteration as one of the other threads makes it: with memory and streams of its own.
class OtherThread : boost::noncopyable {
 public:
  /// Allocates a copy of each block that a call names; pointers in memory still lead to the
  /// application's blocks. Takes from `streams` one like each that is used. Throws OutOfMemory, and
  /// NotPossible without such a stream, or if the thread would get a default stream of its own.
  OtherThread(const TakenIteration& taken, FreeStreams& streams);

  /// Its `kept` has the same order.
  const TakenIteration& taken() const { return own_; }
  /// Copies the content of the application's memory. Returns when that is done.
  void take_content() const;

 private:
  std::uint64_t moved(std::uint64_t address);
  std::uint64_t stream_for(std::uint64_t stream, FreeStreams& streams);

  const std::vector<MemoryFacts>& from_;
  MemoryMap map_;  ///< of these
  std::deque<OwnMemory> device_;
  std::deque<OwnHostMemory> pinned_;
  std::map<std::uint64_t, CUstream> streams_;  ///< by that of the iteration
  TakenIteration own_;
};

/// Threads that work at the same time in this thread's context.
class ThreadTeam : boost::noncopyable {
 public:
  /// `others`: threads besides the calling one.
  explicit ThreadTeam(std::size_t others);
  ~ThreadTeam();

  /// Calls work(0) in this thread and work(i) in the others, from the same moment on. Returns when
  /// all are done. Throws the first one's error.
  void run(const std::function<void(std::size_t)>& work);

 private:
  void work_as(std::size_t number);

  std::barrier<> begin_;
  std::atomic<std::size_t> awake_ = 0, done_ = 0;  ///< threads of this run
  std::function<void(std::size_t)> work_;          ///< empty: the threads end
  std::vector<std::exception_ptr> errors_;
  std::vector<std::jthread> threads_;
};

}  // namespace trilane
