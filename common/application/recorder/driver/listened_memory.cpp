// Copies, memsets, allocations and frees.
#include "common/application/recorder/driver/copy_shape.hpp"
#include "common/application/recorder/driver/listened_call.hpp"

namespace trilane {

namespace {

constexpr char is_managed[] = "it allocates managed memory, which moves by itself";
constexpr char of_blocks[] = "it is a batch of three-dimensional copies";

/// Starts a copy, or decodes one without further facts. Without a stream it returns when done.
void begin(const auto& p, ObservedCall& call) {
  call.stream = stream_in(p);
  call.waits = !requires { p.hStream; };
}

/// Decodes a copy of contiguous bytes, whatever its members are called.
void row(const auto& p, ObservedCall& call) {
  begin(p, call);
  if constexpr (requires { p.dstDevice; }) call.destination = number_of(p.dstDevice);
  if constexpr (requires { p.dstHost; }) call.destination = number_of(p.dstHost);
  if constexpr (requires { p.dst; }) call.destination = number_of(p.dst);
  if constexpr (requires { p.srcDevice; }) call.source = number_of(p.srcDevice);
  if constexpr (requires { p.srcHost; }) call.source = number_of(p.srcHost);
  if constexpr (requires { p.src; }) call.source = number_of(p.src);
  call.bytes = p.ByteCount;
  // A copy within the device returns early.
  call.done = call.waits && (
                                requires { p.dstHost; } || requires { p.srcHost; });
  refuse_devices(p, call);
}

void plane(const auto& p, ObservedCall& call) {
  begin(p, call);
  const CUDA_MEMCPY2D& copy = *p.pCopy;
  call.bytes = copy.WidthInBytes * copy.Height;
  call.height = copy.Height;
  call.source_pitch = pitch_of(copy.srcPitch, copy.WidthInBytes);
  call.destination_pitch = pitch_of(copy.dstPitch, copy.WidthInBytes);
  call.source = start_of(copy.srcMemoryType, copy.srcDevice, copy.srcHost,
                         copy.srcY * call.source_pitch + copy.srcXInBytes);
  call.destination = start_of(copy.dstMemoryType, copy.dstDevice, copy.dstHost,
                              copy.dstY * call.destination_pitch + copy.dstXInBytes);
  if (uses_array(copy)) call.refusal = needs_array;
}

void block(const auto& p, ObservedCall& call) {
  begin(p, call);
  block_of(*p.pCopy, call);
}

void batch(const auto& p, ObservedCall& call) {
  begin(p, call);
  auto made = std::make_shared<ObservedBatch>();
  for (std::size_t i = 0; i < p.count; ++i) {
    made->copies.push_back({number_of(p.dsts[i]), number_of(p.srcs[i]), p.sizes[i]});
    call.bytes += p.sizes[i];
  }
  const auto attributes = std::as_bytes(std::span(p.attrs, p.numAttrs));
  made->attributes.assign(attributes.begin(), attributes.end());
  made->holds_from.assign(p.attrsIdxs, p.attrsIdxs + p.numAttrs);
  if (!made->copies.empty()) {
    call.destination = made->copies.front().destination;
    call.source = made->copies.front().source;
  }
  call.batch = std::move(made);
}

/// Reads the value, which has another name for each width.
void set_value(const auto& p, ObservedCall& call) {
  const auto take = [&](auto value) {
    call.value = value;
    call.value_bytes = sizeof value;
  };
  static_assert(requires { p.uc; } || requires { p.us; } || requires { p.ui; });
  if constexpr (requires { p.uc; }) take(p.uc);
  if constexpr (requires { p.us; }) take(p.us);
  if constexpr (requires { p.ui; }) take(p.ui);
}

void memset(const auto& p, ObservedCall& call) {
  call.stream = stream_in(p);
  call.destination = p.dstDevice;
  set_value(p, call);
  if constexpr (requires { p.Height; }) {
    call.height = p.Height;
    call.bytes = p.Width * call.value_bytes * p.Height;
    call.destination_pitch = p.dstPitch;
  } else {
    call.bytes = p.N * call.value_bytes;
  }
}

/// Notes where the new memory lies: the call has written it through its first parameter.
void allocate(const auto& p, ObservedCall& call) {
  call.stream = stream_in(p);
  if constexpr (requires { p.pool; }) call.pool = number_of(p.pool);
  static_assert(requires { p.dptr; } || requires { p.pp; } || requires { p.p; });
  static_assert(requires { p.pPitch; } || requires { p.bytesize; });
  if constexpr (requires { p.dptr; }) call.destination = *p.dptr;
  if constexpr (requires { p.pp; }) call.destination = number_of(*p.pp);
  if constexpr (requires { p.p; }) call.destination = number_of(p.p);
  if constexpr (requires { p.pPitch; }) call.bytes = *p.pPitch * p.Height;
  if constexpr (requires { p.bytesize; }) call.bytes = p.bytesize;
}

void free(const auto& p, ObservedCall& call) {
  call.stream = stream_in(p);
  static_assert(requires { p.dptr; } || requires { p.p; });
  if constexpr (requires { p.dptr; }) call.destination = p.dptr;
  if constexpr (requires { p.p; }) call.destination = number_of(p.p);
}

void map(const auto& p, ObservedCall& call) {
  call.destination = p.ptr;
  call.bytes = p.size;
}

void unmap(const auto& p, ObservedCall& call) { call.destination = p.ptr; }

constexpr CallKind copy = CallKind::copy, set = CallKind::memset;
constexpr auto none = DefaultStream::none;

const ListenedCall all[] = {
    TRILANE_CALLS(cuMemcpy, _ptds, row, copy),
    TRILANE_CALLS(cuMemcpyAsync, _ptsz, row, copy),
    TRILANE_CALLS(cuMemcpyHtoD_v2, _ptds, row, copy),
    TRILANE_CALLS(cuMemcpyHtoDAsync_v2, _ptsz, row, copy),
    TRILANE_CALLS(cuMemcpyDtoH_v2, _ptds, row, copy),
    TRILANE_CALLS(cuMemcpyDtoHAsync_v2, _ptsz, row, copy),
    TRILANE_CALLS(cuMemcpyDtoD_v2, _ptds, row, copy),
    TRILANE_CALLS(cuMemcpyDtoDAsync_v2, _ptsz, row, copy),
    TRILANE_CALLS(cuMemcpy2D_v2, _ptds, plane, copy),
    TRILANE_CALLS(cuMemcpy2DUnaligned_v2, _ptds, plane, copy),
    TRILANE_CALLS(cuMemcpy2DAsync_v2, _ptsz, plane, copy),
    TRILANE_CALLS(cuMemcpy3D_v2, _ptds, block, copy),
    TRILANE_CALLS(cuMemcpy3DAsync_v2, _ptsz, block, copy),
    TRILANE_CALLS(cuMemcpyBatchAsync, _ptsz, batch, copy, nullptr, true),
    TRILANE_CALLS(cuMemcpyBatchAsync_v2, _ptsz, batch, copy, nullptr, true),
    TRILANE_CALLS(cuMemcpy3DBatchAsync, _ptsz, begin, copy, of_blocks, true),
    TRILANE_CALLS(cuMemcpy3DBatchAsync_v2, _ptsz, begin, copy, of_blocks, true),
    TRILANE_CALLS(cuMemcpyPeer, _ptds, row, copy),
    TRILANE_CALLS(cuMemcpyPeerAsync, _ptsz, row, copy),
    TRILANE_CALLS(cuMemcpy3DPeer, _ptds, block, copy),
    TRILANE_CALLS(cuMemcpy3DPeerAsync, _ptsz, block, copy),
    TRILANE_CALLS(cuMemcpyDtoA_v2, _ptds, begin, copy, needs_array),
    TRILANE_CALLS(cuMemcpyAtoD_v2, _ptds, begin, copy, needs_array),
    TRILANE_CALLS(cuMemcpyHtoA_v2, _ptds, begin, copy, needs_array),
    TRILANE_CALLS(cuMemcpyAtoH_v2, _ptds, begin, copy, needs_array),
    TRILANE_CALLS(cuMemcpyAtoA_v2, _ptds, begin, copy, needs_array),
    TRILANE_CALLS(cuMemcpyHtoAAsync_v2, _ptsz, begin, copy, needs_array),
    TRILANE_CALLS(cuMemcpyAtoHAsync_v2, _ptsz, begin, copy, needs_array),
    TRILANE_CALLS(cuMemsetD8_v2, _ptds, memset, set),
    TRILANE_CALLS(cuMemsetD16_v2, _ptds, memset, set),
    TRILANE_CALLS(cuMemsetD32_v2, _ptds, memset, set),
    TRILANE_CALLS(cuMemsetD2D8_v2, _ptds, memset, set),
    TRILANE_CALLS(cuMemsetD2D16_v2, _ptds, memset, set),
    TRILANE_CALLS(cuMemsetD2D32_v2, _ptds, memset, set),
    TRILANE_CALLS(cuMemsetD8Async, _ptsz, memset, set),
    TRILANE_CALLS(cuMemsetD16Async, _ptsz, memset, set),
    TRILANE_CALLS(cuMemsetD32Async, _ptsz, memset, set),
    TRILANE_CALLS(cuMemsetD2D8Async, _ptsz, memset, set),
    TRILANE_CALLS(cuMemsetD2D16Async, _ptsz, memset, set),
    TRILANE_CALLS(cuMemsetD2D32Async, _ptsz, memset, set),
    {TRILANE_CALL(cuMemAlloc_v2, allocate), CallKind::allocate},
    {TRILANE_CALL(cuMemAllocPitch_v2, allocate), CallKind::allocate},
    {TRILANE_CALL(cuMemFree_v2, free), CallKind::free},
    TRILANE_CALLS(cuMemAllocAsync, _ptsz, allocate, CallKind::allocate_async),
    TRILANE_CALLS(cuMemAllocFromPoolAsync, _ptsz, allocate, CallKind::allocate_async),
    TRILANE_CALLS(cuMemFreeAsync, _ptsz, free, CallKind::free_async),
    {TRILANE_CALL(cuMemAllocHost_v2, allocate), CallKind::allocate_host},
    {TRILANE_CALL(cuMemHostAlloc, allocate), CallKind::allocate_host},
    {TRILANE_CALL(cuMemHostRegister, allocate), CallKind::allocate_host},
    {TRILANE_CALL(cuMemHostRegister_v2, allocate), CallKind::allocate_host},
    {TRILANE_CALL(cuMemFreeHost, free), CallKind::free_host},
    {TRILANE_CALL(cuMemHostUnregister, free), CallKind::free_host},
    {TRILANE_CALL(cuMemAllocManaged, allocate), CallKind::other, none, is_managed, false,
     Effect::observed, true},
    {TRILANE_CALL(cuMemMap, map), CallKind::map},
    {TRILANE_CALL(cuMemUnmap, unmap), CallKind::unmap},
};

}  // namespace

std::span<const ListenedCall> listened_memory() { return all; }

}  // namespace trilane
