#include "common/application/recorder/driver/listened_call.hpp"

namespace trilane {
namespace {

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

#define TRILANE_MEMSET(function, variant)                                                \
  {TRILANE_CALL(function, memset), CallKind::memset, DefaultStream::legacy}, {           \
    TRILANE_CALL(function##variant, memset), CallKind::memset, DefaultStream::per_thread \
  }

const ListenedCall all[] = {
    TRILANE_MEMSET(cuMemsetD8_v2, _ptds),      TRILANE_MEMSET(cuMemsetD16_v2, _ptds),
    TRILANE_MEMSET(cuMemsetD32_v2, _ptds),     TRILANE_MEMSET(cuMemsetD2D8_v2, _ptds),
    TRILANE_MEMSET(cuMemsetD2D16_v2, _ptds),   TRILANE_MEMSET(cuMemsetD2D32_v2, _ptds),
    TRILANE_MEMSET(cuMemsetD8Async, _ptsz),    TRILANE_MEMSET(cuMemsetD16Async, _ptsz),
    TRILANE_MEMSET(cuMemsetD32Async, _ptsz),   TRILANE_MEMSET(cuMemsetD2D8Async, _ptsz),
    TRILANE_MEMSET(cuMemsetD2D16Async, _ptsz), TRILANE_MEMSET(cuMemsetD2D32Async, _ptsz),
};

}  // namespace

std::span<const ListenedCall> listened_memsets() { return all; }

}  // namespace trilane
