#include "common/application/prediction/ways/stand_in_streams.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>

#include "common/application/iteration/records/call_kinds.hpp"

namespace trilane {
namespace {

Stream make_blocking_stream() {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreate(&stream));
  return Stream(stream);
}

}  // namespace

StandInStreams::StandInStreams(const ApplicationRecording& recording) {
  for (const RecordedStream& stream : recording.streams) {
    switch (stream.kind) {
      case StreamKind::legacy: handles_.push_back(cudaStreamLegacy); continue;
      case StreamKind::per_thread: handles_.push_back(cudaStreamPerThread); continue;
      case StreamKind::blocking: own_.push_back(make_blocking_stream()); break;
      case StreamKind::non_blocking: own_.push_back(make_stream()); break;
    }
    handles_.push_back(own_.back().get());
  }
  for (const RecordedCall& call : recording.calls) {
    if (!names_event(call.kind)) continue;
    while (events_.size() <= call.event) events_.push_back(make_ordering_event());
  }
}

void StandInStreams::order(const RecordedCall& call) const {
  switch (call.kind) {
    case CallKind::record_event:
      return check(cudaEventRecord(events_[call.event].get(), stream(call.stream)));
    case CallKind::wait_event:
      return check(cudaStreamWaitEvent(stream(call.stream), events_[call.event].get(), 0));
    case CallKind::synchronize_stream: return check(cudaStreamSynchronize(stream(call.stream)));
    case CallKind::synchronize_event: return check(cudaEventSynchronize(events_[call.event].get()));
    case CallKind::synchronize_context: return check(cudaDeviceSynchronize());
    case CallKind::query: {
      const cudaError_t answer = cudaStreamQuery(stream(call.stream));
      return check(answer == cudaErrorNotReady ? cudaSuccess : answer);
    }
    case CallKind::kernel:
    case CallKind::copy:
    case CallKind::memset:
    case CallKind::graph_launch:
    case CallKind::change_graph:
    case CallKind::host_function:
    case CallKind::allocate:
    case CallKind::free:
    case CallKind::allocate_async:
    case CallKind::free_async:
    case CallKind::allocate_host:
    case CallKind::free_host:
    case CallKind::other: return;
  }
}

}  // namespace trilane
