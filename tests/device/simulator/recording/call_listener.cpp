#include "tests/device/simulator/recording/call_listener.hpp"

#include <cuda_runtime_api.h>

#include "common/device/flavour/flavour.hpp"
#include "common/device/simulator/kernels/host_kernel.hpp"
#include "common/device/simulator/machine/call.hpp"
#include "common/measure/gpu/runtime/handles.hpp"
#include "common/model/variant/variant.hpp"
#include "kernels/transform.hpp"

namespace trilane {
namespace {

CallListener* listener = nullptr;
std::vector<std::string> functions;  // by number, from 1

template <typename Handle>
std::uint64_t number(Handle handle) {
  return reinterpret_cast<std::uint64_t>(handle);
}

bool is_capturing(std::uint64_t stream) {
  const simulator::Locked machine;
  const auto handle = reinterpret_cast<cudaStream_t>(stream);
  return simulator::stream_of(simulator::machine(), handle).capture != nullptr;
}

/// Makes the call, and if it succeeds passes it to the listener, with the memory that it `made`.
cudaError_t heard(const std::function<cudaError_t()>& real, ObservedCall call,
                  void* const* made = nullptr, const char* wrapper = __builtin_FUNCTION()) {
  const double begin_us = listener == nullptr ? 0 : now_us();
  const cudaError_t code = real();
  if (listener == nullptr || code != cudaSuccess) return code;
  if (made != nullptr) call.destination = number(*made);
  if (is_capturing(call.stream)) return code;
  call.function = call.runtime =
      CallListener::number_of(std::string(wrapper).substr(sizeof "__wrap_" - 1));
  call.thread = simulator::this_thread();
  call.begin_us = begin_us;
  call.end_us = now_us();
  listener->recorder.observe(call);
  return code;
}

MemoryKind kind_of(simulator::Place place) {
  switch (place) {
    case simulator::Place::device: return MemoryKind::device;
    case simulator::Place::pool:
    case simulator::Place::graph: return MemoryKind::pool;
    case simulator::Place::pinned:
    case simulator::Place::registered: return MemoryKind::pinned;
    case simulator::Place::pageable: return MemoryKind::pageable;
  }
  return MemoryKind::unknown;
}

/// A kernel as the driver would describe it: its demangled name, and the sizes of its parameters.
struct KnownKernel {
  const void* function;
  const char* name;
  std::vector<std::uint64_t> sizes;
};

/// Returns those of Trilane's own pipeline; the runtime knows no parameters of others.
const std::vector<KnownKernel>& known_kernels() {
  static const std::vector<KnownKernel> known{
      {transform_each_kernel(),
       "transform_each(unsigned int const*, unsigned int*, unsigned long, unsigned int, unsigned "
       "int)",
       {8, 8, 8, 4, 4}},
      {transform_reduce_kernel(),
       "transform_reduce(unsigned int const*, unsigned int*, unsigned long, unsigned long, "
       "unsigned "
       "long, unsigned int, unsigned int)",
       {8, 8, 8, 8, 8, 4, 4}}};
  return known;
}

const KnownKernel* known_kernel(const void* function) {
  const auto found = std::ranges::find(known_kernels(), function, &KnownKernel::function);
  return found == known_kernels().end() ? nullptr : &*found;
}

/// Returns each parameter in eight bytes of its own.
std::vector<std::byte> gathered(const void* function, void** arguments) {
  std::vector<std::byte> bytes;
  const KnownKernel* const known = known_kernel(function);
  if (known == nullptr || arguments == nullptr) return bytes;
  bytes.resize(known->sizes.size() * sizeof(std::uint64_t));
  for (std::size_t i = 0; i < known->sizes.size(); ++i) {
    std::memcpy(bytes.data() + i * sizeof(std::uint64_t), arguments[i], known->sizes[i]);
  }
  return bytes;
}

}  // namespace

CallListener::CallListener(RecorderSettings settings) : recorder(*this, std::move(settings)) {
  listener = this;
}

CallListener::~CallListener() { listener = nullptr; }

std::uint32_t CallListener::number_of(const std::string& function) {
  const auto known = std::ranges::find(functions, function);
  const auto place = known - functions.begin();
  if (known == functions.end()) functions.push_back(function);
  return static_cast<std::uint32_t>(place + 1);
}

std::string CallListener::driver_name(std::uint32_t function) { return functions.at(function - 1); }

KernelFacts CallListener::kernel(std::uint64_t handle) {
  const auto* const function = reinterpret_cast<const void*>(handle);
  const KnownKernel* const known = known_kernel(function);
  if (known == nullptr) return {simulator::kernel_of(function).name, {}, 0, 0};
  KernelFacts facts{known->name, {}, 0, 0};
  for (std::size_t i = 0; i < known->sizes.size(); ++i) {
    facts.parameters.push_back({i * sizeof(std::uint64_t), known->sizes[i]});
  }
  return facts;
}

RecordedStream CallListener::stream(std::uint64_t handle) {
  const simulator::Locked machine;
  const auto& stream =
      simulator::stream_of(simulator::machine(), reinterpret_cast<cudaStream_t>(handle));
  if (machine->is_legacy(stream)) return {StreamKind::legacy, 0};
  return {stream.blocking ? StreamKind::blocking : StreamKind::non_blocking, 0};
}

MemoryFacts CallListener::memory(std::uint64_t address) {
  const simulator::Locked machine;
  const auto block = machine->memory.find(reinterpret_cast<const void*>(address));
  return {kind_of(block.place), block.range.begin, block.range.size()};
}

RecordedPasses recorded_passes(const std::string& name, const Workload& workload,
                               RecorderSettings settings) {
  const TimedOnly timed;
  CallListener listener(std::move(settings));
  const Layout layout = layout_of(workload);
  const PinnedBuffer in = make_pinned_buffer(layout.in_bytes);
  const PinnedBuffer out = make_pinned_buffer(layout.out_bytes);
  const Job job(workload, in.get(), out.get());
  const std::unique_ptr<Variant> variant = find_variant(name).make(job);
  const Stream origin = make_stream();
  const auto& calls = simulator::machine().calls;
  std::size_t before = 0;
  for (int pass = 0; pass < RecordedPasses::count; ++pass) {
    before = calls.size();
    listener.recorder.range_begins("pass", now_us());
    variant->submit(origin.get());
    cudaStreamSynchronize(origin.get());
    listener.recorder.range_ends(now_us());
  }
  const auto last = calls.begin() + static_cast<std::ptrdiff_t>(before);
  return {listener.recorder.recording(), {last, calls.end()}};
}

}  // namespace trilane

// The linker's names for a wrapper and the wrapped function.
#define TRILANE_WRAPPED(name, ...)                             \
  extern "C" cudaError_t CUDARTAPI __real_##name(__VA_ARGS__); \
  extern "C" cudaError_t CUDARTAPI __wrap_##name(__VA_ARGS__)

TRILANE_WRAPPED(cudaMemcpyAsync, void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                cudaStream_t stream) {
  return heard([&] { return __real_cudaMemcpyAsync(to, from, bytes, kind, stream); },
               {.kind = CallKind::copy,
                .stream = number(stream),
                .destination = number(to),
                .source = number(from),
                .bytes = bytes});
}

TRILANE_WRAPPED(cudaMemsetAsync, void* to, int value, size_t bytes, cudaStream_t stream) {
  return heard([&] { return __real_cudaMemsetAsync(to, value, bytes, stream); },
               {.kind = CallKind::memset,
                .stream = number(stream),
                .destination = number(to),
                .bytes = bytes,
                .value = static_cast<std::uint32_t>(value),
                .value_bytes = 1});
}

TRILANE_WRAPPED(cudaLaunchKernel, const void* function, dim3 grid, dim3 block, void** arguments,
                size_t shared_bytes, cudaStream_t stream) {
  const std::vector<std::byte> bytes = gathered(function, arguments);
  ObservedCall call{.kind = CallKind::kernel, .stream = number(stream)};
  call.launch = {.function = number(function),
                 .grid = {grid.x, grid.y, grid.z},
                 .block = {block.x, block.y, block.z},
                 .shared_bytes = static_cast<std::uint32_t>(shared_bytes),
                 .arguments = bytes};
  return heard(
      [&] {
        return __real_cudaLaunchKernel(function, grid, block, arguments, shared_bytes, stream);
      },
      call);
}

TRILANE_WRAPPED(cudaEventRecord, cudaEvent_t event, cudaStream_t stream) {
  return heard([&] { return __real_cudaEventRecord(event, stream); },
               {.kind = CallKind::record_event, .stream = number(stream), .event = number(event)});
}

TRILANE_WRAPPED(cudaStreamWaitEvent, cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  return heard([&] { return __real_cudaStreamWaitEvent(stream, event, flags); },
               {.kind = CallKind::wait_event, .stream = number(stream), .event = number(event)});
}

TRILANE_WRAPPED(cudaStreamSynchronize, cudaStream_t stream) {
  return heard([&] { return __real_cudaStreamSynchronize(stream); },
               {.kind = CallKind::synchronize_stream, .stream = number(stream)});
}

TRILANE_WRAPPED(cudaGraphLaunch, cudaGraphExec_t graph, cudaStream_t stream) {
  return heard(
      [&] { return __real_cudaGraphLaunch(graph, stream); },
      {.kind = CallKind::graph_launch, .stream = number(stream), .executable = number(graph)});
}

TRILANE_WRAPPED(cudaMallocFromPoolAsync, void** pointer, size_t bytes, cudaMemPool_t pool,
                cudaStream_t stream) {
  return heard([&] { return __real_cudaMallocFromPoolAsync(pointer, bytes, pool, stream); },
               {.kind = CallKind::allocate_async, .stream = number(stream), .bytes = bytes},
               pointer);
}

TRILANE_WRAPPED(cudaFreeAsync, void* pointer, cudaStream_t stream) {
  return heard(
      [&] { return __real_cudaFreeAsync(pointer, stream); },
      {.kind = CallKind::free_async, .stream = number(stream), .destination = number(pointer)});
}

TRILANE_WRAPPED(cudaMalloc, void** pointer, size_t bytes) {
  return heard([&] { return __real_cudaMalloc(pointer, bytes); },
               {.kind = CallKind::allocate, .bytes = bytes}, pointer);
}

TRILANE_WRAPPED(cudaFree, void* pointer) {
  return heard([&] { return __real_cudaFree(pointer); },
               {.kind = CallKind::free, .destination = number(pointer)});
}
