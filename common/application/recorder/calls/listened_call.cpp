#include "common/application/recorder/calls/listened_call.hpp"

#include <array>

namespace trilane {
namespace {

using ByNumber = std::array<const ListenedCall*, CUPTI_DRIVER_TRACE_CBID_SIZE>;

ByNumber numbered() {
  ByNumber found{};
  for (const auto list :
       {listened_launches(), listened_copies(), listened_memsets(), listened_allocations(),
        listened_waits(), listened_refusals(), listened_graphs()}) {
    for (const ListenedCall& call : list) found[call.id] = &call;
  }
  return found;
}

}  // namespace

const ListenedCall* listened_call(CUpti_CallbackId id) {
  static const ByNumber all = numbered();
  return id < all.size() ? all[id] : nullptr;
}

}  // namespace trilane
