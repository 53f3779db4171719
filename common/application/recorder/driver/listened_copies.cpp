// Copies and memsets.
#include <memory>
#include <span>
#include <utility>

#include "common/application/iteration/observed_batch.hpp"
#include "common/application/recorder/driver/copy_shape.hpp"
#include "common/application/recorder/driver/listened_call.hpp"

namespace trilane {

namespace {

constexpr char needs_devices[] = "it copies between devices";
constexpr char is_batch[] = "it is a batch of three-dimensional copies";

/// Starts a copy; one without a stream returns when it is done.
template <typename Parameters>
const Parameters& begin(const void* parameters, ObservedCall& call) {
  const auto& p = *static_cast<const Parameters*>(parameters);
  call.stream = stream_in(p);
  call.waits = !requires { p.hStream; };
  return p;
}

/// Decodes a copy of contiguous bytes, whatever its members are called.
template <typename Parameters>
void row(const void* parameters, ObservedCall& call) {
  const auto& p = begin<Parameters>(parameters, call);
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
}

template <typename Parameters>
void plane(const void* parameters, ObservedCall& call) {
  const CUDA_MEMCPY2D& copy = *begin<Parameters>(parameters, call).pCopy;
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

template <typename Parameters>
void block(const void* parameters, ObservedCall& call) {
  block_of(*begin<Parameters>(parameters, call).pCopy, call);
}

template <typename Parameters>
void batch(const void* parameters, ObservedCall& call) {
  const auto& p = begin<Parameters>(parameters, call);
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

/// Decodes a copy about which nothing else is known.
template <typename Parameters>
void unknown(const void* parameters, ObservedCall& call) {
  begin<Parameters>(parameters, call);
}

/// Reads the value, which has another name for each width.
template <typename Parameters>
void set_value(const Parameters& p, ObservedCall& call) {
  if constexpr (requires { p.uc; }) {
    call.value = p.uc;
    call.value_bytes = 1;
  } else if constexpr (requires { p.us; }) {
    call.value = p.us;
    call.value_bytes = 2;
  } else {
    call.value = p.ui;
    call.value_bytes = 4;
  }
}

template <typename Parameters>
void memset(const void* parameters, ObservedCall& call) {
  const auto& p = *static_cast<const Parameters*>(parameters);
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

constexpr auto legacy = DefaultStream::legacy, per_thread = DefaultStream::per_thread;
constexpr auto copy = CallKind::copy;

/// A function, and its name in programs built with a default stream per thread. Does not use
/// TRILANE_CALL, because a macro of cuda.h would replace some names in its argument.
#define TRILANE_COPY(function, variant, decode)                                    \
  {CUPTI_DRIVER_TRACE_CBID_##function, decode<function##_params>, copy, legacy}, { \
    TRILANE_CALL(function##variant, decode), copy, per_thread                      \
  }
#define TRILANE_REFUSED(function, variant, decode, why)                                 \
  {CUPTI_DRIVER_TRACE_CBID_##function, decode<function##_params>, copy, legacy, why}, { \
    TRILANE_CALL(function##variant, decode), copy, per_thread, why                      \
  }

#define TRILANE_MEMSET(function, variant)                                 \
  {TRILANE_CALL(function, memset), CallKind::memset, legacy}, {           \
    TRILANE_CALL(function##variant, memset), CallKind::memset, per_thread \
  }

const ListenedCall all[] = {
    TRILANE_COPY(cuMemcpy, _ptds, row),
    TRILANE_COPY(cuMemcpyAsync, _ptsz, row),
    TRILANE_COPY(cuMemcpyHtoD_v2, _ptds, row),
    TRILANE_COPY(cuMemcpyHtoDAsync_v2, _ptsz, row),
    TRILANE_COPY(cuMemcpyDtoH_v2, _ptds, row),
    TRILANE_COPY(cuMemcpyDtoHAsync_v2, _ptsz, row),
    TRILANE_COPY(cuMemcpyDtoD_v2, _ptds, row),
    TRILANE_COPY(cuMemcpyDtoDAsync_v2, _ptsz, row),
    TRILANE_COPY(cuMemcpy2D_v2, _ptds, plane),
    TRILANE_COPY(cuMemcpy2DUnaligned_v2, _ptds, plane),
    TRILANE_COPY(cuMemcpy2DAsync_v2, _ptsz, plane),
    TRILANE_COPY(cuMemcpy3D_v2, _ptds, block),
    TRILANE_COPY(cuMemcpy3DAsync_v2, _ptsz, block),
    TRILANE_COPY(cuMemcpyBatchAsync, _ptsz, batch),
    TRILANE_COPY(cuMemcpyBatchAsync_v2, _ptsz, batch),
    TRILANE_REFUSED(cuMemcpy3DBatchAsync, _ptsz, unknown, is_batch),
    TRILANE_REFUSED(cuMemcpy3DBatchAsync_v2, _ptsz, unknown, is_batch),
    TRILANE_REFUSED(cuMemcpyPeer, _ptds, row, needs_devices),
    TRILANE_REFUSED(cuMemcpyPeerAsync, _ptsz, row, needs_devices),
    TRILANE_REFUSED(cuMemcpy3DPeer, _ptds, block, needs_devices),
    TRILANE_REFUSED(cuMemcpy3DPeerAsync, _ptsz, block, needs_devices),
    TRILANE_REFUSED(cuMemcpyDtoA_v2, _ptds, unknown, needs_array),
    TRILANE_REFUSED(cuMemcpyAtoD_v2, _ptds, unknown, needs_array),
    TRILANE_REFUSED(cuMemcpyHtoA_v2, _ptds, unknown, needs_array),
    TRILANE_REFUSED(cuMemcpyAtoH_v2, _ptds, unknown, needs_array),
    TRILANE_REFUSED(cuMemcpyAtoA_v2, _ptds, unknown, needs_array),
    TRILANE_REFUSED(cuMemcpyHtoAAsync_v2, _ptsz, unknown, needs_array),
    TRILANE_REFUSED(cuMemcpyAtoHAsync_v2, _ptsz, unknown, needs_array),
    TRILANE_MEMSET(cuMemsetD8_v2, _ptds),
    TRILANE_MEMSET(cuMemsetD16_v2, _ptds),
    TRILANE_MEMSET(cuMemsetD32_v2, _ptds),
    TRILANE_MEMSET(cuMemsetD2D8_v2, _ptds),
    TRILANE_MEMSET(cuMemsetD2D16_v2, _ptds),
    TRILANE_MEMSET(cuMemsetD2D32_v2, _ptds),
    TRILANE_MEMSET(cuMemsetD8Async, _ptsz),
    TRILANE_MEMSET(cuMemsetD16Async, _ptsz),
    TRILANE_MEMSET(cuMemsetD32Async, _ptsz),
    TRILANE_MEMSET(cuMemsetD2D8Async, _ptsz),
    TRILANE_MEMSET(cuMemsetD2D16Async, _ptsz),
    TRILANE_MEMSET(cuMemsetD2D32Async, _ptsz),
};

}  // namespace

std::span<const ListenedCall> listened_copies() { return all; }

}  // namespace trilane
