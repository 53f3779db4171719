// Streams with a priority, and work that holds up an operation on one of them.
#pragma once

#include "common/measure/ask/parts/experiment.hpp"

namespace trilane {

enum class Priority {
  low,  ///< that of streams made without one
  high,
};

/// Returns a stream with the device's least or greatest priority.
inline OwnStream make_stream(Priority priority) {
  int least = 0, greatest = 0;
  check(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking,
                                     priority == Priority::high ? greatest : least));
  return OwnStream(stream);
}

/// Returns that many streams with the least priority.
inline std::vector<OwnStream> low_streams(int count) {
  std::vector<OwnStream> streams;
  while (std::ssize(streams) < count) streams.push_back(make_stream(Priority::low));
  return streams;
}

struct BehindTimes {
  double done_us;  ///< from the operation's issue to its completion
  double idle_us;  ///< from the issue of the work before it until all is done
};

/// Enqueues `work` on each of the first `count` streams, one operation on each because a second
/// one could hold up its hardware queue. Then times `issue`, which enqueues on `stream`.
inline BehindTimes run_behind(const std::vector<OwnStream>& streams, int count,
                              const std::function<void(cudaStream_t)>& work,
                              const std::function<void(cudaStream_t)>& issue,
                              const OwnStream& stream) {
  const double start_us = now_us();
  for (int i = 0; i < count; ++i) work(streams[i].get());
  const double done_us = timed_us([&] {
    issue(stream.get());
    check(cudaStreamSynchronize(stream.get()));
  });
  for (int i = 0; i < count; ++i) check(cudaStreamSynchronize(streams[i].get()));
  return {done_us, now_us() - start_us};
}

/// Returns true if the operation is done sooner with the priority in question than with the low
/// one; false if not; nothing if the work before it does not hold it up in the first place.
inline std::optional<bool> sooner(const Readings& r, const std::string& with,
                                  const std::string& low, const std::string& alone) {
  if (!r.above(low, alone, 2)) return std::nullopt;
  return r.costs_more(low, with, 1.5, 1.2);
}

}  // namespace trilane
