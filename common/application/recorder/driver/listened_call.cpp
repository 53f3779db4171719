#include "common/application/recorder/driver/listened_call.hpp"

#include <array>

#include "common/application/recorder/driver/driver_surroundings.hpp"

namespace trilane {
namespace {

using ByNumber = std::array<const ListenedCall*, CUPTI_DRIVER_TRACE_CBID_SIZE>;

ByNumber numbered() {
  ByNumber found{};
  for (const auto list :
       {listened_launches(), listened_memory(), listened_waits(), listened_refusals()}) {
    for (const ListenedCall& call : list) found[call.id] = &call;
  }
  return found;
}

}  // namespace

const ListenedCall* listened_call(CUpti_CallbackId id) {
  static const ByNumber all = numbered();
  return id < all.size() ? all[id] : nullptr;
}

std::uint64_t stream_of(std::uint64_t handle, const ListenedCall& call) {
  if (handle != 0) return handle;
  switch (call.stream) {
    case DefaultStream::none: return 0;
    case DefaultStream::legacy: return legacy_handle;
    case DefaultStream::per_thread: return per_thread_handle;
  }
  return 0;
}

}  // namespace trilane
