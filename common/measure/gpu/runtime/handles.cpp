#include "common/measure/gpu/runtime/handles.hpp"

#include "common/measure/gpu/runtime/phase.hpp"

namespace trilane {
namespace {

thread_local KeptStreams* kept = nullptr;

}  // namespace

KeptStreams::KeptStreams() { kept = this; }

KeptStreams::~KeptStreams() {
  kept = nullptr;
  for (const auto& [device, streams] : unused_) {
    for (const cudaStream_t stream : streams) warn(cudaStreamDestroy(stream));
  }
}

cudaError_t release_stream(cudaStream_t stream) {
  int device = 0;
  if (kept == nullptr || cudaStreamGetDevice(stream, &device) != cudaSuccess) {
    return cudaStreamDestroy(stream);
  }
  kept->unused_[device].push_back(stream);
  return cudaSuccess;
}

int device_of(cudaStream_t stream) {
  int device = 0;
  check(cudaStreamGetDevice(stream, &device));
  return device;
}

Stream make_stream() {
  const Phase phase("streams");
  if (kept != nullptr) {
    int device = 0;
    check(cudaGetDevice(&device));
    std::vector<cudaStream_t>& unused = kept->unused_[device];
    if (!unused.empty()) {
      Stream stream(unused.back());
      unused.pop_back();
      return stream;
    }
  }
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  if (kept != nullptr) ++kept->made_;
  return Stream(stream);
}

Event make_ordering_event() {
  const Phase phase("streams");
  cudaEvent_t event = nullptr;
  check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  return Event(event);
}

Event make_blocking_event() {
  cudaEvent_t event = nullptr;
  check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming | cudaEventBlockingSync));
  return Event(event);
}

Event make_timing_event() {
  cudaEvent_t event = nullptr;
  check(cudaEventCreateWithFlags(&event, cudaEventDefault));
  return Event(event);
}

DeviceBuffer make_device_buffer(std::uint64_t bytes) {
  const Phase phase("allocation");
  void* memory = nullptr;
  check(cudaMalloc(&memory, bytes));
  return DeviceBuffer(static_cast<std::byte*>(memory));
}

PinnedBuffer make_pinned_buffer(std::uint64_t bytes) {
  void* memory = nullptr;
  check(cudaMallocHost(&memory, bytes));
  return PinnedBuffer(static_cast<std::byte*>(memory));
}

std::byte* device_address(const std::byte* host) {
  void* device = nullptr;
  check(cudaHostGetDevicePointer(&device, const_cast<std::byte*>(host), 0));
  return static_cast<std::byte*>(device);
}

MemoryPool make_pool(std::uint64_t threshold) {
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  check(cudaGetDevice(&properties.location.id));
  cudaMemPool_t handle = nullptr;
  check(cudaMemPoolCreate(&handle, &properties));
  MemoryPool pool(handle);
  check(cudaMemPoolSetAttribute(handle, cudaMemPoolAttrReleaseThreshold, &threshold));
  return pool;
}

Graph make_graph() {
  cudaGraph_t graph = nullptr;
  check(cudaGraphCreate(&graph, 0));
  return Graph(graph);
}

GraphExec instantiate(const Graph& graph, unsigned long long flags) {
  const Phase phase("instantiate");
  cudaGraphExec_t executable = nullptr;
  check(cudaGraphInstantiate(&executable, graph.get(), flags));
  return GraphExec(executable);
}

}  // namespace trilane
