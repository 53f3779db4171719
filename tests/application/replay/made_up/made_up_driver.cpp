// The fake driver's functions.
#include "tests/application/replay/made_up/made_up_driver.hpp"

#include <cstring>
#include <utility>

#include "common/application/replay/iteration/replay_driver.hpp"
#include "tests/application/replay/made_up/made_up_tables.hpp"

namespace trilane::made_up {

namespace {

/// Content of memory before it is written, and after it is released.
constexpr unsigned char fresh = 0xCD, gone = 0xDD;

CUDA_MEMCPY3D block_of(CUdeviceptr to, CUdeviceptr from, std::size_t bytes) {
  CUDA_MEMCPY3D block{};
  block.dstDevice = to;
  block.srcDevice = from;
  block.dstPitch = block.srcPitch = block.WidthInBytes = bytes;
  block.Height = block.Depth = 1;
  return block;
}

CUDA_MEMCPY3D block_of(const CUDA_MEMCPY2D& plane) {
  CUDA_MEMCPY3D block = block_of(plane.dstDevice, plane.srcDevice, plane.WidthInBytes);
  block.dstPitch = plane.dstPitch;
  block.srcPitch = plane.srcPitch;
  block.Height = plane.Height;
  return block;
}

/// The host waits for copies of pageable memory.
CUresult put_copy(const CUDA_MEMCPY3D& block, CUstream handle) {
  put(handle, copied(block));
  if (!is_pageable(block.srcDevice) && !is_pageable(block.dstDevice)) return CUDA_SUCCESS;
  const std::shared_ptr<Stream> stream = stream_of(handle);
  return wait_for({stream, stream->issued()});
}

/// Acts as a copy in the legacy stream, which the host waits for.
CUresult copy_now(const CUDA_MEMCPY3D& block) {
  put(nullptr, copied(block));
  return wait_for({state().legacy, state().legacy->issued()});
}

CUresult put_memset(CUdeviceptr to, std::size_t pitch, unsigned value, unsigned size,
                    std::size_t width, std::size_t height, CUstream stream) {
  put(stream, set({to, pitch, value, size, width, height}));
  return CUDA_SUCCESS;
}

std::size_t used() {
  std::size_t bytes = 0;
  for (const auto& [base, memory] : state().memory) bytes += memory.pinned ? 0 : memory.bytes;
  return bytes;
}

CUresult release(std::uint64_t address) {
  const auto found = state().memory.find(address);
  if (found == state().memory.end()) return CUDA_ERROR_INVALID_VALUE;
  std::memset(found->second.content.get(), gone, found->second.bytes);
  if (found->second.pool) found->second.pool->used -= found->second.bytes;
  state().released.insert(state().memory.extract(found));
  return CUDA_SUCCESS;
}

CUresult release_when_idle(std::uint64_t address) {
  const CUresult result = wait_for_all();
  return result == CUDA_SUCCESS ? release(address) : result;
}

bool is_done(const Place& place) {
  return place.stream == nullptr || place.stream->done >= place.count;
}

void add_memory(ReplayDriver& all) {
  all.cuMemAlloc = [](CUdeviceptr* address, std::size_t bytes) {
    std::uint64_t made = 0;
    const CUresult result = allocate(made, bytes, false);
    if (result == CUDA_SUCCESS) *address = made;
    return result;
  };
  all.cuMemHostAlloc = [](void** memory, std::size_t bytes, unsigned) {
    std::uint64_t made = 0;
    const CUresult result = allocate(made, bytes, true);
    if (result == CUDA_SUCCESS) *memory = reinterpret_cast<void*>(made);
    return result;
  };
  all.cuMemFree = [](CUdeviceptr address) { return release_when_idle(address); };
  all.cuMemFreeHost = [](void* memory) {
    return release_when_idle(reinterpret_cast<std::uint64_t>(memory));
  };
  all.cuMemFreeAsync = [](CUdeviceptr address, CUstream stream) {
    put(stream, [address] { return release(address); });
    return CUDA_SUCCESS;
  };
  all.cuMemGetInfo = [](std::size_t* free, std::size_t* total) {
    *total = state().capacity;
    *free = *total - used();
    return CUDA_SUCCESS;
  };
  all.cuPointerGetAttribute = [](void* found, CUpointer_attribute what, CUdeviceptr address) {
    auto next = state().memory.upper_bound(address);
    if (next == state().memory.begin()) return CUDA_ERROR_INVALID_VALUE;
    const auto& [base, memory] = *--next;
    if (address - base >= memory.bytes) return CUDA_ERROR_INVALID_VALUE;
    if (what == CU_POINTER_ATTRIBUTE_RANGE_START_ADDR) {
      *static_cast<CUdeviceptr*>(found) = base;
    } else if (what == CU_POINTER_ATTRIBUTE_RANGE_SIZE) {
      *static_cast<std::size_t*>(found) = memory.bytes;
    } else {
      *static_cast<unsigned*>(found) = memory.pinned ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
    }
    return CUDA_SUCCESS;
  };
  all.cuMemGetAddressRange = [](CUdeviceptr* base, std::size_t* bytes, CUdeviceptr address) {
    const auto found = state().memory.find(address);
    if (found == state().memory.end()) return CUDA_ERROR_NOT_FOUND;
    *base = found->first;
    *bytes = found->second.bytes;
    return CUDA_SUCCESS;
  };
}

void add_operations(ReplayDriver& all) {
  all.cuLaunchKernelEx = [](const CUlaunchConfig* config, CUfunction function, void** parameters,
                            void**) {
    if (config->numAttrs > 0) {
      state().launch_attributes.emplace_back(config->attrs, config->attrs + config->numAttrs);
    }
    put(config->hStream, launched(function, parameters));
    return CUDA_SUCCESS;
  };
  all.cuLaunchKernel = [](CUfunction function, unsigned, unsigned, unsigned, unsigned, unsigned,
                          unsigned, unsigned, CUstream stream, void** parameters, void**) {
    put(stream, launched(function, parameters));
    return CUDA_SUCCESS;
  };
  all.cuKernelGetFunction = [](CUfunction* function, CUkernel kernel) {
    *function = reinterpret_cast<Kernel*>(kernel)->function();
    return CUDA_SUCCESS;
  };
  all.cuMemcpy = [](CUdeviceptr to, CUdeviceptr from, std::size_t bytes) {
    return copy_now(block_of(to, from, bytes));
  };
  all.cuMemcpyAsync = [](CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
    return put_copy(block_of(to, from, bytes), stream);
  };
  all.cuMemcpy2DUnaligned = [](const CUDA_MEMCPY2D* plane) { return copy_now(block_of(*plane)); };
  all.cuMemcpy2DAsync = [](const CUDA_MEMCPY2D* plane, CUstream stream) {
    return put_copy(block_of(*plane), stream);
  };
  all.cuMemsetD8Async = [](CUdeviceptr to, unsigned char value, std::size_t count,
                           CUstream stream) {
    return put_memset(to, 0, value, 1, count, 1, stream);
  };
  all.cuMemsetD16Async = [](CUdeviceptr to, unsigned short value, std::size_t count,
                            CUstream stream) {
    return put_memset(to, 0, value, 2, count, 1, stream);
  };
  all.cuMemsetD32Async = [](CUdeviceptr to, unsigned value, std::size_t count, CUstream stream) {
    return put_memset(to, 0, value, 4, count, 1, stream);
  };
  all.cuMemsetD2D8Async = [](CUdeviceptr to, std::size_t pitch, unsigned char value,
                             std::size_t width, std::size_t height, CUstream stream) {
    return put_memset(to, pitch, value, 1, width, height, stream);
  };
  all.cuMemsetD2D16Async = [](CUdeviceptr to, std::size_t pitch, unsigned short value,
                              std::size_t width, std::size_t height, CUstream stream) {
    return put_memset(to, pitch, value, 2, width, height, stream);
  };
  all.cuMemsetD2D32Async = [](CUdeviceptr to, std::size_t pitch, unsigned value, std::size_t width,
                              std::size_t height, CUstream stream) {
    return put_memset(to, pitch, value, 4, width, height, stream);
  };
}

void add_streams(ReplayDriver& all) {
  all.cuStreamSynchronize = [](CUstream handle) {
    const std::shared_ptr<Stream> stream = stream_of(handle);
    return wait_for({stream, stream->issued()});
  };
  all.cuStreamQuery = [](CUstream handle) {
    return stream_of(handle)->queue.empty() ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
  };
  all.cuStreamWaitEvent = [](CUstream stream, CUevent event, unsigned) {
    put(stream, [] { return CUDA_SUCCESS; }, {state().events.at(event)->recorded});
    return CUDA_SUCCESS;
  };
  all.cuCtxSynchronize = [] { return wait_for_all(); };
  all.cuCtxGetDevice = [](CUdevice* device) {
    *device = 0;
    return CUDA_SUCCESS;
  };
  all.cuCtxGetCurrent = [](CUcontext* context) {
    *context = reinterpret_cast<CUcontext>(&state());
    return CUDA_SUCCESS;
  };
}

void add_events(ReplayDriver& all) {
  all.cuEventCreate = [](CUevent* event, unsigned) {
    auto made = std::make_unique<Event>();
    *event = reinterpret_cast<CUevent>(made.get());
    state().events[*event] = std::move(made);
    return CUDA_SUCCESS;
  };
  all.cuEventDestroy = [](CUevent event) {
    return state().events.erase(event) == 1 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
  };
  all.cuEventRecord = [](CUevent event, CUstream handle) {
    put(handle, [] { return CUDA_SUCCESS; });
    const std::shared_ptr<Stream> stream = stream_of(handle);
    state().events.at(event)->recorded = {stream, stream->issued()};
    return CUDA_SUCCESS;
  };
  all.cuEventQuery = [](CUevent event) {
    return is_done(state().events.at(event)->recorded) ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
  };
  all.cuEventSynchronize = [](CUevent event) {
    return wait_for(state().events.at(event)->recorded);
  };
  all.cuEventElapsedTime = [](float* ms, CUevent, CUevent) {
    *ms = 0.01F;
    return CUDA_SUCCESS;
  };
  all.cuGetErrorName = [](CUresult code, const char** name) {
    *name = code == CUDA_ERROR_ILLEGAL_ADDRESS ? "CUDA_ERROR_ILLEGAL_ADDRESS"
            : code == CUDA_ERROR_INVALID_VALUE ? "CUDA_ERROR_INVALID_VALUE"
                                               : "another error";
    return CUDA_SUCCESS;
  };
}

/// Counts the calls of one function, and lets them fail.
template <auto member>
struct Counted;
template <typename... Arguments, CUresult (*ReplayDriver::*member)(Arguments...)>
struct Counted<member> {
  static inline CUresult (*function)(Arguments...) = nullptr;
  static inline const char* name = "";
  static CUresult call(Arguments... arguments) {
    const CUresult planted = called(name);
    return planted == CUDA_SUCCESS ? function(arguments...) : planted;
  }
  static void stand_before(ReplayDriver& all, const char* its_name) {
    function = std::exchange(all.*member, call);
    name = its_name;
  }
};

ReplayDriver functions() {
  ReplayDriver all;
  add_memory(all);
  add_operations(all);
  add_streams(all);
  add_events(all);
  add_graphs(all);
  add_pools(all);
  add_batches(all);
#define TRILANE_COUNT(name) Counted<&ReplayDriver::name>::stand_before(all, #name);
  TRILANE_REPLAY_FUNCTIONS(TRILANE_COUNT)
  TRILANE_NEWER_REPLAY_FUNCTIONS(TRILANE_COUNT)
#undef TRILANE_COUNT
  return all;
}

ReplayDriver older(ReplayDriver all) {
#define TRILANE_FORGET(name) all.name = nullptr;
  TRILANE_NEWER_REPLAY_FUNCTIONS(TRILANE_FORGET)
#undef TRILANE_FORGET
  return all;
}

}  // namespace

CUresult allocate(std::uint64_t& address, std::size_t bytes, bool pinned,
                  std::shared_ptr<Pool> pool) {
  if (!pinned && used() + bytes > state().capacity) return CUDA_ERROR_OUT_OF_MEMORY;
  auto content = std::make_unique<std::byte[]>(bytes);
  std::memset(content.get(), fresh, bytes);
  address = reinterpret_cast<std::uint64_t>(content.get());
  state().memory[address] = {std::move(content), bytes, pinned, std::move(pool)};
  return CUDA_SUCCESS;
}

}  // namespace trilane::made_up

const trilane::ReplayDriver& trilane::driver() {
  static const ReplayDriver all = made_up::functions(), older = made_up::older(all);
  return made_up::state().is_older ? older : all;
}
