// Owners of the runtime's handles. The destructor releases each once.
#pragma once

#include <cuda_runtime_api.h>

#include "common/measure/gpu/runtime/check.hpp"

namespace trilane {

/// Releases a handle with the runtime function `release`. A failure prints a warning.
template <auto release>
struct Release {
  template <typename Handle>
  void operator()(Handle* handle) const noexcept {
    wait_if_unwinding();
    warn(release(handle));
  }
};

/// Destroys the stream, or passes it to the living KeptStreams.
cudaError_t release_stream(cudaStream_t stream);

using Stream = std::unique_ptr<CUstream_st, Release<release_stream>>;
using Event = std::unique_ptr<CUevent_st, Release<cudaEventDestroy>>;
using Graph = std::unique_ptr<CUgraph_st, Release<cudaGraphDestroy>>;
using GraphExec = std::unique_ptr<CUgraphExec_st, Release<cudaGraphExecDestroy>>;
using MemoryPool = std::unique_ptr<CUmemPoolHandle_st, Release<cudaMemPoolDestroy>>;
using DeviceBuffer = std::unique_ptr<std::byte, Release<cudaFree>>;
using PinnedBuffer = std::unique_ptr<std::byte, Release<cudaFreeHost>>;

/// Returns the number of the device that was current when the stream was made.
int device_of(cudaStream_t stream);

/// Returns a stream of the current device that does not synchronise with the legacy default stream.
Stream make_stream();

/// Owns the streams of a host thread while it lives: released streams are kept and reused. Once
/// kernels have run on many streams, graphs of small kernels stay slower, even when the streams are
/// destroyed (H100). On an H200 a graph of 256 kernels took 156 us, and 202 us once kernels had run
/// on 14 other streams. `trilane ask many_streams` finds the step. A thread may have one owner.
class KeptStreams {
 public:
  KeptStreams();
  KeptStreams(const KeptStreams&) = delete;
  KeptStreams& operator=(const KeptStreams&) = delete;
  ~KeptStreams();

  /// Returns the number of streams, whether in use or not.
  std::size_t made() const { return made_; }

 private:
  friend Stream make_stream();
  friend cudaError_t release_stream(cudaStream_t stream);

  std::map<int, std::vector<cudaStream_t>> unused_;  // by device
  std::size_t made_ = 0;
};

/// Returns an event without timing, which takes the host less time to record.
Event make_ordering_event();

/// Returns an event without timing, on which cudaEventSynchronize blocks.
Event make_blocking_event();

/// Queries the event until the device has passed it, and calls `pause` in between.
template <typename Pause>
void poll_event(const Event& event, const Pause& pause) {
  cudaError_t status = cudaErrorNotReady;
  while ((status = cudaEventQuery(event.get())) == cudaErrorNotReady) pause();
  check(status);
}

/// An ordering event and its two uses.
class OrderingEvent {
 public:
  /// Marks the work now on `stream`.
  void record_on(cudaStream_t stream) const { check(cudaEventRecord(event_.get(), stream)); }
  /// Orders later work on `stream` after the marked work.
  void wait_on(cudaStream_t stream) const { check(cudaStreamWaitEvent(stream, event_.get(), 0)); }

 private:
  Event event_ = make_ordering_event();
};

/// Returns an event that records its time.
Event make_timing_event();

/// Allocates `bytes` of device memory; waits for the device.
DeviceBuffer make_device_buffer(std::uint64_t bytes);

/// Allocates `bytes` of page-locked host memory, which copy engines access without a staging
/// buffer.
PinnedBuffer make_pinned_buffer(std::uint64_t bytes);

/// Returns the device address of mapped host memory. Throws CudaError if it is not mapped.
std::byte* device_address(const std::byte* host);

/// Returns a pool of the current device with that release threshold, in bytes, and otherwise the
/// runtime's defaults.
MemoryPool make_pool(std::uint64_t threshold);

/// Returns an empty graph.
Graph make_graph();

/// Instantiates a graph, without uploading it. `flags`: cudaGraphInstantiateFlags.
GraphExec instantiate(const Graph& graph, unsigned long long flags = 0);

}  // namespace trilane
