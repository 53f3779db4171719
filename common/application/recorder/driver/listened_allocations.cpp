#include "common/application/recorder/driver/listened_call.hpp"

namespace trilane {
namespace {

constexpr char is_managed[] = "it allocates managed memory, which moves by itself";
constexpr char is_mapped[] = "it maps memory at an address that the program chose";

/// Notes where the new memory lies: the call has written it through its first parameter.
template <typename Parameters>
void allocate(const void* parameters, ObservedCall& call) {
  const auto& p = *static_cast<const Parameters*>(parameters);
  call.stream = stream_in(p);
  if constexpr (requires { p.pool; }) call.pool = number_of(p.pool);
  if constexpr (requires { p.dptr; }) {
    call.destination = *p.dptr;
  } else if constexpr (requires { p.pp; }) {
    call.destination = number_of(*p.pp);
  } else {
    call.destination = number_of(p.p);
  }
  if constexpr (requires { p.pPitch; }) {
    call.bytes = *p.pPitch * p.Height;
  } else {
    call.bytes = p.bytesize;
  }
}

template <typename Parameters>
void free(const void* parameters, ObservedCall& call) {
  const auto& p = *static_cast<const Parameters*>(parameters);
  call.stream = stream_in(p);
  if constexpr (requires { p.dptr; }) {
    call.destination = p.dptr;
  } else {
    call.destination = number_of(p.p);
  }
}

template <typename Parameters>
void map(const void* parameters, ObservedCall& call) {
  const auto& p = *static_cast<const Parameters*>(parameters);
  call.destination = p.ptr;
  call.bytes = p.size;
}

constexpr auto legacy = DefaultStream::legacy, per_thread = DefaultStream::per_thread,
               none = DefaultStream::none;

const ListenedCall all[] = {
    {TRILANE_CALL(cuMemAlloc_v2, allocate), CallKind::allocate},
    {TRILANE_CALL(cuMemAllocPitch_v2, allocate), CallKind::allocate},
    {TRILANE_CALL(cuMemFree_v2, free), CallKind::free},
    {TRILANE_CALL(cuMemAllocAsync, allocate), CallKind::allocate_async, legacy},
    {TRILANE_CALL(cuMemAllocAsync_ptsz, allocate), CallKind::allocate_async, per_thread},
    {TRILANE_CALL(cuMemAllocFromPoolAsync, allocate), CallKind::allocate_async, legacy},
    {TRILANE_CALL(cuMemAllocFromPoolAsync_ptsz, allocate), CallKind::allocate_async, per_thread},
    {TRILANE_CALL(cuMemFreeAsync, free), CallKind::free_async, legacy},
    {TRILANE_CALL(cuMemFreeAsync_ptsz, free), CallKind::free_async, per_thread},
    {TRILANE_CALL(cuMemAllocHost_v2, allocate), CallKind::allocate_host},
    {TRILANE_CALL(cuMemHostAlloc, allocate), CallKind::allocate_host},
    {TRILANE_CALL(cuMemHostRegister, allocate), CallKind::allocate_host},
    {TRILANE_CALL(cuMemHostRegister_v2, allocate), CallKind::allocate_host},
    {TRILANE_CALL(cuMemFreeHost, free), CallKind::free_host},
    {TRILANE_CALL(cuMemHostUnregister, free), CallKind::free_host},
    {TRILANE_CALL(cuMemAllocManaged, allocate), CallKind::other, none, is_managed, Effect::observed,
     true},
    {TRILANE_CALL(cuMemMap, map), CallKind::other, none, is_mapped, Effect::observed, true},
};

}  // namespace

std::span<const ListenedCall> listened_allocations() { return all; }

}  // namespace trilane
