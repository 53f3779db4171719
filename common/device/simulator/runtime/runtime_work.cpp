// Work on streams: copies and memsets, launches of kernels and of host functions.
#include "common/device/simulator/kernels/host_kernel.hpp"
#include "common/device/simulator/kernels/tasks.hpp"
#include "common/device/simulator/machine/call.hpp"
#include "common/device/simulator/machine/graphs.hpp"

using namespace trilane::simulator;
using namespace trilane;

namespace {

constexpr std::size_t most_pitch = 2147483647;  // cudaDevAttrMaxPitch of every GPU

/// Copies the source to staging memory now, instead of when the task runs.
void stage(const Copy& copy, Task& task) {
  const auto staging = std::make_shared<std::vector<std::byte>>(copy.rows.all_bytes());
  Copy in = copy, out = copy;
  in.to = staging->data();
  out.from = staging->data();
  in.rows.to_pitch = out.rows.from_pitch = copy.rows.bytes;
  move(in);
  task.work = [out, staging] { move(out); };
}

/// Copies between two devices through the default stream. CUDA C++ Programming Guide, "Peer-to-Peer
/// Memory Copy": after all earlier work of both, and before all later work.
void copy_alone(Machine& m, const Copy& copy) {
  m.enqueue_alone(task_of(m, copy), {copy.from_device, copy.to_device, m.gpu().number});
}

/// Copies by CUDA Runtime API, "API synchronization behavior", Memcpy, Asynchronous. With pageable
/// memory the call may wait or stage the bytes. The measured driver waits for copies out.
void copy_async(Machine& m, const Copy& copy, CUstream_st& stream) {
  Task task = task_of(m, copy);
  // A graph accesses the program's memory at each launch.
  if (stream.capture) return m.enqueue(std::move(task), stream);
  if (copy.between_devices() && m.is_legacy(stream)) return copy_alone(m, copy);
  if (copy.from_pageable() && m.moves_data() && m.draw->may()) stage(copy, task);
  m.enqueue(std::move(task), stream);
  if (copy.within_host()) return m.wait_for(stream.tail);
  if (copy.from_pageable() || copy.to_pageable()) m.may_wait_for(stream.tail);
  if (copy.to_pageable()) m.clock_waits_for(stream.tail);
}

/// Copies synchronously through the default stream (the same section, Synchronous).
void copy_now(Machine& m, const Copy& copy) {
  if (copy.between_devices()) return copy_alone(m, copy);
  Task task = task_of(m, copy);
  CUstream_st& legacy = m.gpu().legacy;
  if (copy.from_pageable()) {
    m.wait_for(m.tail_of(legacy));
    // The program may change its source as soon as the call returns.
    task.accesses.erase(task.accesses.begin());
    if (m.moves_data()) stage(copy, task);
  }
  m.enqueue(std::move(task), legacy);
  const bool within_device = is_on_device(copy.to_place) && is_on_device(copy.from_place);
  if (!copy.from_pageable() && !within_device) m.wait_for(legacy.tail);
}

/// Returns a copy between the memory of two devices, or nothing for no bytes.
std::optional<Copy> peer_copy(Machine& m, void* to, int to_device, const void* from,
                              int from_device, std::size_t bytes) {
  m.gpu(to_device), m.gpu(from_device);
  if (bytes == 0) return std::nullopt;
  const Copy copy = look_at(m, to, from, {bytes}, cudaMemcpyDefault);
  require(is_on_device(copy.to_place) && copy.to_device == to_device);
  require(is_on_device(copy.from_place) && copy.from_device == from_device);
  return copy;
}

/// Returns a stream of the current device. CUDA C++ Programming Guide, "Stream and Event Behavior":
/// a launch into a stream of another one fails; a copy does not.
CUstream_st& own_stream(Machine& m, cudaStream_t handle) {
  CUstream_st& stream = stream_of(m, handle);
  require(stream.device == m.gpu().number, cudaErrorInvalidResourceHandle);
  return stream;
}

/// Checks the rules of cudaMemcpyBatchAsync in CUDA Runtime API, Memory Management: every copy has
/// attributes, each of which applies from the copy with its index on.
void check_attributes(std::span<const cudaMemcpyAttributes> attributes, const std::size_t* first,
                      std::size_t copies) {
  if (attributes.empty() || attributes.size() > copies) refuse(cudaErrorInvalidValue);
  if (attributes.data() == nullptr || first == nullptr) refuse(cudaErrorInvalidValue);
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    require(i == 0 ? first[0] == 0 : first[i] > first[i - 1] && first[i] < copies);
    // The overlap with kernels is a hint, which changed nothing on an H200.
    require((attributes[i].flags & ~unsigned{cudaMemcpyFlagPreferOverlapWithCompute}) == 0);
    switch (attributes[i].srcAccessOrder) {
      case cudaMemcpySrcAccessOrderStream: break;
      case cudaMemcpySrcAccessOrderDuringApiCall:
      case cudaMemcpySrcAccessOrderAny:
        refuse_not_modelled("a batch of copies whose sources are read out of stream order");
      default: refuse(cudaErrorInvalidValue);
    }
  }
}

/// Returns the tasks of all copies before any is enqueued: a wrong copy refuses the batch.
std::vector<Task> tasks_of(Machine& m, void* const* to, const void* const* from,
                           std::span<const std::size_t> sizes) {
  std::vector<Task> tasks;
  std::map<Kind, std::uint64_t> before;
  for (std::size_t place = 0; place < sizes.size(); ++place) {
    require(sizes[place] > 0);  // as measured on an H200
    const Copy copy = look_at(m, to[place], from[place], {sizes[place]}, cudaMemcpyDefault);
    if (copy.from_pageable() || copy.to_pageable() || copy.within_host()) {
      refuse_not_modelled("a batch with a copy of pageable memory or within the host");
    }
    Task& task = tasks.emplace_back(task_of(m, copy));
    task.batched = before[task.kind]++;
  }
  return tasks;
}

/// Returns true if the launch permits programmatic serialisation: the kernel may start before the
/// previous one in the stream ends. Running them in order is always right.
bool may_overlap(const cudaLaunchConfig_t& config) {
  if (config.attrs == nullptr && config.numAttrs > 0) refuse(cudaErrorInvalidValue);
  bool allowed = false;
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    const cudaLaunchAttributeID id = config.attrs[i].id;
    if (id == cudaLaunchAttributeIgnore) continue;
    if (id != cudaLaunchAttributeProgrammaticStreamSerialization) {
      refuse_not_modelled("this attribute of cudaLaunchKernelExC");
    }
    allowed = config.attrs[i].val.programmaticStreamSerializationAllowed != 0;
  }
  return allowed;
}

}  // namespace

cudaError_t CUDARTAPI cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                                      cudaStream_t stream) {
  return call([&](Machine& m) {
    CUstream_st& on = stream_of(m, stream);
    if (bytes > 0) copy_async(m, look_at(m, to, from, {bytes}, kind), on);
  });
}

cudaError_t CUDARTAPI cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from,
                                        size_t from_pitch, size_t width, size_t height,
                                        cudaMemcpyKind kind, cudaStream_t stream) {
  return call([&](Machine& m) {
    CUstream_st& on = stream_of(m, stream);
    const auto is_pitch = [width](size_t pitch) { return width <= pitch && pitch <= most_pitch; };
    require(is_pitch(to_pitch) && is_pitch(from_pitch), cudaErrorInvalidPitchValue);
    if (width == 0 || height == 0) return;
    copy_async(m, look_at(m, to, from, {width, height, to_pitch, from_pitch}, kind), on);
  });
}

cudaError_t CUDARTAPI cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return call(InCapture::unsafe, [&](Machine& m) {
    if (bytes > 0) copy_now(m, look_at(m, to, from, {bytes}, kind));
  });
}

cudaError_t CUDARTAPI cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device,
                                     size_t bytes) {
  return call(InCapture::unsafe, [&](Machine& m) {
    if (const auto copy = peer_copy(m, to, to_device, from, from_device, bytes))
      copy_alone(m, *copy);
  });
}

cudaError_t CUDARTAPI cudaMemcpyPeerAsync(void* to, int to_device, const void* from,
                                          int from_device, size_t bytes, cudaStream_t stream) {
  return call([&](Machine& m) {
    CUstream_st& on = stream_of(m, stream);
    if (const auto copy = peer_copy(m, to, to_device, from, from_device, bytes)) {
      copy_async(m, *copy, on);
    }
  });
}

cudaError_t CUDARTAPI cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t stream) {
  return call([&](Machine& m) {
    CUstream_st& on = stream_of(m, stream);
    if (bytes > 0) m.enqueue(memset_task(m, to, static_cast<unsigned>(value), 1, bytes), on);
  });
}

cudaError_t CUDARTAPI cudaMemset(void* to, int value, size_t bytes) {
  return call(InCapture::unsafe, [&](Machine& m) {
    if (bytes == 0) return;
    Task task = memset_task(m, to, static_cast<unsigned>(value), 1, bytes);
    // The same section, Memset: asynchronous, unless the target is pinned host memory.
    const bool waits = !is_on_device(task.to);
    CUstream_st& legacy = m.gpu().legacy;
    m.enqueue(std::move(task), legacy);
    if (waits) m.wait_for(legacy.tail);
  });
}

cudaError_t CUDARTAPI cudaMemcpyBatchAsync(void* const* to, const void* const* from,
                                           const size_t* sizes, size_t count,
                                           cudaMemcpyAttributes* attributes, size_t* first,
                                           size_t attribute_count, cudaStream_t stream) {
  return call([&](Machine& m) {
    CUstream_st& on = stream_of(m, stream);
    require(!m.is_legacy(on));
    // Measured with driver 580: the capture stays valid.
    if (on.capture) refuse(cudaErrorStreamCaptureUnsupported);
    if (to == nullptr || from == nullptr || sizes == nullptr) refuse(cudaErrorInvalidValue);
    check_attributes({attributes, attribute_count}, first, count);
    m.enqueue_batch(tasks_of(m, to, from, {sizes, count}), on);
  });
}

cudaError_t CUDARTAPI cudaLaunchKernel(const void* function, dim3 grid, dim3 block,
                                       void** arguments, size_t shared_bytes, cudaStream_t stream) {
  return call([&](Machine& m) {
    Task task = kernel_task(m, function, grid, block, shared_bytes, arguments);
    m.enqueue(std::move(task), own_stream(m, stream));
  });
}

cudaError_t CUDARTAPI cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function,
                                          void** arguments) {
  return call([&](Machine& m) {
    require(config != nullptr);
    const bool overlaps = may_overlap(*config);
    CUstream_st& stream = own_stream(m, config->stream);
    m.enqueue(kernel_task(m, function, config->gridDim, config->blockDim, config->dynamicSmemBytes,
                          arguments),
              stream);
    if (overlaps && stream.capture) let_overlap(stream);
  });
}

cudaError_t CUDARTAPI cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  return call([&](Machine& m) {
    require(function != nullptr);
    m.enqueue(
        {.kind = Kind::host_function, .name = "host function", .work = [=] { function(data); }},
        stream_of(m, stream));
  });
}

cudaError_t CUDARTAPI cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  return answer(attributes, [&](Machine& m) {
    kernel_of(function);
    cudaFuncAttributes known{};
    known.maxThreadsPerBlock = 1024;
    const Profile& profile = m.settings.profile;
    known.binaryVersion = known.ptxVersion = profile.compute_major * 10 + profile.compute_minor;
    return known;
  });
}
