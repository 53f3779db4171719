#include "common/application/prediction/ways/ways.hpp"

#include <cuda_runtime_api.h>

#include "common/application/iteration/call_traits.hpp"
#include "common/device/flavour/flavour.hpp"
#include "common/measure/gpu/runtime/check.hpp"

namespace trilane {

namespace {

dim3 size_of(const std::vector<std::uint32_t>& numbers) {
  if (numbers.empty()) return {1, 1, 1};  // a graph
  return {numbers.at(0), numbers.at(1), numbers.at(2)};
}

/// A launch's parameters as graph nodes take them. Dynamic shared memory does not change the time.
struct LaunchParameters : boost::noncopyable {
  LaunchParameters(const RecordedCall& call, const Operands& operands)
      : address(operands.to), node{} {
    node.func = const_cast<void*>(operands.kernel.get());
    node.gridDim = size_of(call.grid);
    node.blockDim = size_of(call.block);
    node.kernelParams = arguments;
  }

  std::byte* address;
  void* arguments[1] = {&address};
  cudaKernelNodeParams node;
};

int byte_of(const RecordedCall& memset) { return static_cast<int>(memset.value & 0xff); }

cudaMemsetParams memset_of(const RecordedCall& call, const Operands& operands) {
  cudaMemsetParams memset{};
  memset.dst = operands.to;
  memset.value = call.value & 0xff;
  memset.elementSize = 1;
  memset.width = operands.bytes;
  memset.height = 1;
  return memset;
}

/// Copies one by one where the toolkit has no batches with these arguments.
void enqueue_batch(const std::vector<Operands>& copies, cudaStream_t stream) {
#if CUDART_VERSION >= 13000
  std::vector<void*> to;
  std::vector<const void*> from;
  std::vector<std::size_t> bytes;
  for (const Operands& copy : copies) {
    to.push_back(copy.to);
    from.push_back(copy.from);
    bytes.push_back(copy.bytes);
  }
  cudaMemcpyAttributes attributes{};
  attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  std::size_t first = 0;
  check(cudaMemcpyBatchAsync(to.data(), from.data(), bytes.data(), bytes.size(), &attributes,
                             &first, 1, stream));
#else
  for (const Operands& copy : copies) {
    check(cudaMemcpyAsync(copy.to, copy.from, copy.bytes, cudaMemcpyDefault, stream));
  }
#endif
}

Stream make_blocking_stream() {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreate(&stream));
  return Stream(stream);
}

}  // namespace

void enqueue(const RecordedCall& call, const Operands& operands, cudaStream_t stream) {
  if (is_one_kernel(call)) {
    const double begin_us = now_us();
    LaunchParameters launch(call, operands);
    check(cudaLaunchKernel(launch.node.func, launch.node.gridDim, launch.node.blockDim,
                           launch.arguments, 0, stream));
    if (call.kind == CallKind::kernel) return;
    spend_us(std::max(0.0, begin_us + call.call_us.value_or(call.host_us) - now_us()));
  } else if (!operands.copies.empty()) {
    enqueue_batch(operands.copies, stream);
  } else if (call.kind == CallKind::copy) {
    check(cudaMemcpyAsync(operands.to, operands.from, operands.bytes, cudaMemcpyDefault, stream));
  } else {
    check(cudaMemsetAsync(operands.to, byte_of(call), operands.bytes, stream));
  }
}

void make_again(const ApplicationRecording& recording, const RecordedCall& call,
                const Operands& operands, cudaStream_t stream) {
  if (!call.synchronous) return enqueue(call, operands, stream);
  if (recording.streams[call.stream].kind == StreamKind::legacy) {
    if (call.kind == CallKind::memset) {
      return check(cudaMemset(operands.to, byte_of(call), operands.bytes));
    }
    return check(cudaMemcpy(operands.to, operands.from, operands.bytes, cudaMemcpyDefault));
  }
  const HostWait wait = host_wait_of(call, recording);
  if (wait == HostWait::before) check(cudaStreamSynchronize(stream));
  enqueue(call, operands, stream);
  if (wait == HostWait::itself) check(cudaStreamSynchronize(stream));
}

cudaGraphNode_t add_to(cudaGraph_t graph, const RecordedCall& call, const Operands& operands,
                       const std::vector<cudaGraphNode_t>& after) {
  cudaGraphNode_t node = nullptr;
  const cudaGraphNode_t* const first = after.data();
  if (!operands.copies.empty()) {
    std::vector<cudaGraphNode_t> nodes;
    for (const Operands& copy : operands.copies) nodes.push_back(add_to(graph, call, copy, after));
    check(cudaGraphAddEmptyNode(&node, graph, nodes.data(), nodes.size()));
  } else if (is_one_kernel(call)) {
    const LaunchParameters launch(call, operands);
    check(cudaGraphAddKernelNode(&node, graph, first, after.size(), &launch.node));
  } else if (operands.bytes == 0) {
    check(cudaGraphAddEmptyNode(&node, graph, first, after.size()));
  } else if (call.kind == CallKind::copy) {
    check(cudaGraphAddMemcpyNode1D(&node, graph, first, after.size(), operands.to, operands.from,
                                   operands.bytes, cudaMemcpyDefault));
  } else {
    const cudaMemsetParams memset = memset_of(call, operands);
    check(cudaGraphAddMemsetNode(&node, graph, first, after.size(), &memset));
  }
  return node;
}

void set_in(cudaGraphExec_t graph, cudaGraphNode_t node, const RecordedCall& call,
            const Operands& operands) {
  if (is_one_kernel(call)) {
    const LaunchParameters launch(call, operands);
    check(cudaGraphExecKernelNodeSetParams(graph, node, &launch.node));
  } else if (call.kind == CallKind::copy && operands.bytes > 0) {
    check(cudaGraphExecMemcpyNodeSetParams1D(graph, node, operands.to, operands.from,
                                             operands.bytes, cudaMemcpyDefault));
  }
}

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
  switch (role_of(call.kind)) {
    case CallRole::record_event:
      return check(cudaEventRecord(events_[call.event].get(), stream(call.stream)));
    case CallRole::wait_event:
      return check(cudaStreamWaitEvent(stream(call.stream), events_[call.event].get(), 0));
    case CallRole::synchronize_stream: return check(cudaStreamSynchronize(stream(call.stream)));
    case CallRole::synchronize_event: return check(cudaEventSynchronize(events_[call.event].get()));
    case CallRole::synchronize_context: return check(cudaDeviceSynchronize());
    case CallRole::query: {
      const cudaError_t answer = cudaStreamQuery(stream(call.stream));
      return check(answer == cudaErrorNotReady ? cudaSuccess : answer);
    }
    case CallRole::work:
    case CallRole::graph_launch:
    case CallRole::host_function:
    case CallRole::allocation:
    case CallRole::release:
    case CallRole::graph_change:
    case CallRole::other: return;  // they order nothing
  }
}

}  // namespace trilane
