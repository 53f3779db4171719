// The fake driver's functions.
#include "tests/application/replay/fake/fake_driver.hpp"

#include "common/application/replay/replay_driver.hpp"

namespace trilane::fake {

namespace {

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
  return wait_for(handle);
}

/// Acts as a copy in the legacy stream, which the host waits for.
CUresult copy_now(const CUDA_MEMCPY3D& block) {
  put(nullptr, copied(block));
  return wait_for(CUstream{});
}

/// Returns true if each copy has attributes that read in stream order.
bool is_valid(std::size_t copies, const CUmemcpyAttributes* attributes,
              const std::size_t* holds_from, std::size_t count) {
  if (copies == 0 || count == 0 || holds_from[0] != 0) return false;
  for (std::size_t i = 0; i < count; ++i) {
    const bool stream = attributes[i].srcAccessOrder == CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
    if (!stream || holds_from[i] >= copies) return false;
    if (i > 0 && holds_from[i] <= holds_from[i - 1]) return false;
  }
  return true;
}

/// Copies the last one first. As with one copy, the host waits for pageable memory.
CUresult put_batch(CUdeviceptr* to, CUdeviceptr* from, std::size_t* bytes, std::size_t copies,
                   CUmemcpyAttributes* attributes, std::size_t* holds_from, std::size_t count,
                   CUstream handle) {
  if (handle == nullptr || !is_valid(copies, attributes, holds_from, count)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  state().batch_flags.clear();
  std::vector<std::function<CUresult()>> all;
  bool waits = false;
  for (std::size_t i = 0, held = 0; i < copies; ++i) {
    if (held + 1 < count && holds_from[held + 1] == i) ++held;
    state().batch_flags.push_back(attributes[held].flags);
    all.push_back(copied(block_of(to[i], from[i], bytes[i])));
    waits = waits || is_pageable(to[i]) || is_pageable(from[i]);
  }
  put(handle, [all = std::move(all)] {
    CUresult result = CUDA_SUCCESS;
    for (auto one = all.rbegin(); one != all.rend() && result == CUDA_SUCCESS; ++one) {
      result = (*one)();
    }
    return result;
  });
  return waits ? wait_for(handle) : CUDA_SUCCESS;
}

template <typename Value>
CUresult put_memset(CUdeviceptr to, Value value, std::size_t count, CUstream stream) {
  put(stream, set({to, 0, value, sizeof value, count, 1}));
  return CUDA_SUCCESS;
}
template <typename Value>
CUresult put_rows(CUdeviceptr to, std::size_t pitch, Value value, std::size_t width,
                  std::size_t height, CUstream stream) {
  put(stream, set({to, pitch, value, sizeof value, width, height}));
  return CUDA_SUCCESS;
}

bool is_done(const Place& place) {
  return place.stream == nullptr || place.stream->done >= place.count;
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
  all.cuMemcpy3D = [](const CUDA_MEMCPY3D* block) { return copy_now(*block); };
  all.cuMemcpy3DAsync = [](const CUDA_MEMCPY3D* block, CUstream stream) {
    return put_copy(*block, stream);
  };
  all.cuMemcpyBatchAsync = put_batch;
  all.cuMemsetD8Async = put_memset<unsigned char>;
  all.cuMemsetD16Async = put_memset<unsigned short>;
  all.cuMemsetD32Async = put_memset<unsigned>;
  all.cuMemsetD2D8Async = put_rows<unsigned char>;
  all.cuMemsetD2D16Async = put_rows<unsigned short>;
  all.cuMemsetD2D32Async = put_rows<unsigned>;
}

void add_streams(ReplayDriver& all) {
  all.cuStreamSynchronize = [](CUstream handle) { return wait_for(handle); };
  all.cuStreamQuery = [](CUstream handle) {
    return stream_of(handle)->queue.empty() ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
  };
  all.cuStreamWaitEvent = [](CUstream stream, CUevent event, unsigned) {
    put(stream, [] { return CUDA_SUCCESS; }, {state().events.at(event)->recorded});
    return CUDA_SUCCESS;
  };
  all.cuStreamGetCtx = [](CUstream, CUcontext* context) {
    *context = reinterpret_cast<CUcontext>(&state());
    return CUDA_SUCCESS;
  };
  all.cuStreamGetFlags = [](CUstream stream, unsigned* flags) {
    *flags = stream_of(stream)->ordered_with_legacy ? CU_STREAM_DEFAULT : CU_STREAM_NON_BLOCKING;
    return CUDA_SUCCESS;
  };
  all.cuStreamGetPriority = [](CUstream stream, int* priority) {
    *priority = stream_of(stream)->priority;
    return CUDA_SUCCESS;
  };
  all.cuCtxSetCurrent = [](CUcontext context) {
    return context == reinterpret_cast<CUcontext>(&state()) ? CUDA_SUCCESS
                                                            : CUDA_ERROR_INVALID_CONTEXT;
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
    return keep(state().events, std::make_unique<Event>(), event);
  };
  all.cuEventDestroy = [](CUevent event) { return forget(state().events, event); };
  all.cuEventRecord = [](CUevent event, CUstream handle) {
    put(handle, [] { return CUDA_SUCCESS; });
    state().latest_event = event;
    const std::shared_ptr<Stream> stream = stream_of(handle);
    state().events.at(event)->recorded = {stream, stream->issued()};
    return CUDA_SUCCESS;
  };
  all.cuEventQuery = [](CUevent event) {
    return is_done(state().events.at(event)->recorded) ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
  };
  all.cuEventSynchronize = [](CUevent event) {
    state().waits_for_latest += event == state().latest_event;
    return wait_for(state().events.at(event)->recorded);
  };
  // An operation, or an event, takes 10 us.
  all.cuEventElapsedTime = [](float* ms, CUevent from, CUevent to) {
    const auto count = [](CUevent event) { return state().events.at(event)->recorded.count; };
    *ms = 0.01F * static_cast<float>(count(to) - count(from));
    return CUDA_SUCCESS;
  };
  all.cuStreamWaitValue32 = [](CUstream stream, CUdeviceptr at, cuuint32_t value, unsigned) {
    state().gate = reinterpret_cast<const cuuint32_t*>(at);
    state().opens_at = value;
    put(stream, [=] {
      const bool open = *reinterpret_cast<const cuuint32_t*>(at) >= value;
      return open ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
    });
    return CUDA_SUCCESS;
  };
  // Done at once: the host then reads the word.
  all.cuStreamWriteValue32 = [](CUstream stream, CUdeviceptr at, cuuint32_t value, unsigned) {
    put(stream, [=] {
      *reinterpret_cast<cuuint32_t*>(at) = value;
      return CUDA_SUCCESS;
    });
    return wait_for(stream);
  };
  all.cuGetErrorName = [](CUresult code, const char** name) {
    *name = code == CUDA_ERROR_ILLEGAL_ADDRESS ? "CUDA_ERROR_ILLEGAL_ADDRESS"
            : code == CUDA_ERROR_INVALID_VALUE ? "CUDA_ERROR_INVALID_VALUE"
                                               : "another error";
    return CUDA_SUCCESS;
  };
}

std::recursive_mutex& calls_one_by_one() {
  static std::recursive_mutex mutex;
  return mutex;
}

/// Counts the calls of one function, by any thread, and lets them fail.
template <auto member>
struct Counted;
template <typename... Arguments, CUresult (*ReplayDriver::*member)(Arguments...)>
struct Counted<member> {
  static inline CUresult (*function)(Arguments...) = nullptr;
  static inline const char* name = "";
  static CUresult call(Arguments... arguments) {
    const std::lock_guard lock(calls_one_by_one());
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

}  // namespace trilane::fake

const trilane::ReplayDriver& trilane::driver() {
  static const ReplayDriver all = fake::functions(), older = fake::older(all);
  return fake::state().is_older ? older : all;
}
