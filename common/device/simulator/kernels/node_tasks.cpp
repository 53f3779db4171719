#include <utility>

#include "common/device/simulator/kernels/tasks.hpp"
#include "common/device/simulator/machine/not_modelled.hpp"

namespace trilane::simulator {

namespace {

void require_modelled(bool modelled, const char* what) {
  if (!modelled) refuse_not_modelled(what);
}

TaskPtr shared(Task task) { return std::make_shared<const Task>(std::move(task)); }

void* address_of(const cudaPitchedPtr& memory, const cudaPos& position) {
  return static_cast<std::byte*>(memory.ptr) + position.x +
         memory.pitch * (position.y + memory.ysize * position.z);
}

}  // namespace

TaskPtr kernel_node_task(const Machine& m, const cudaKernelNodeParams* parameters) {
  require(parameters != nullptr);
  const auto& [function, grid, block, shared_bytes, arguments, extra] = *parameters;
  require(arguments == nullptr || extra == nullptr);
  require_modelled(extra == nullptr, "kernel parameters in one buffer (extra)");
  return shared(
      kernel_task(m, function, grid, block, shared_bytes, arguments, cudaErrorInvalidValue));
}

// "Zero-length operations are not supported", by the functions that set parameters.
TaskPtr copy_node_task(Machine& m, void* to, const void* from, std::size_t bytes,
                       cudaMemcpyKind kind) {
  require(bytes > 0);
  return shared(task_of(look_at(m, to, from, {bytes}, kind)));
}

TaskPtr copy_node_task(Machine& m, const cudaMemcpy3DParms* parameters) {
  require(parameters != nullptr);
  const cudaMemcpy3DParms& copy = *parameters;
  // CUDA Runtime API, Memory Management, cudaMemcpy3D: exactly one of the two at either end.
  require((copy.srcArray == nullptr) != (copy.srcPtr.ptr == nullptr));
  require((copy.dstArray == nullptr) != (copy.dstPtr.ptr == nullptr));
  require_modelled(copy.srcArray == nullptr && copy.dstArray == nullptr, "a copy of an array");
  const auto& [width, height, depth] = copy.extent;
  require_modelled(depth <= 1, "a copy of more than two dimensions");
  require(width > 0 && height > 0 && depth == 1);
  const Rows rows{width, height, copy.dstPtr.pitch, copy.srcPtr.pitch};
  require(height == 1 || (width <= rows.to_pitch && width <= rows.from_pitch));
  return shared(task_of(look_at(m, address_of(copy.dstPtr, copy.dstPos),
                                address_of(copy.srcPtr, copy.srcPos), rows, copy.kind)));
}

TaskPtr memset_node_task(Machine& m, const cudaMemsetParams* parameters) {
  require(parameters != nullptr);
  const cudaMemsetParams& memset = *parameters;
  const unsigned bytes = memset.elementSize;
  require(bytes == 1 || bytes == 2 || bytes == 4);
  require(memset.width > 0 && memset.height > 0);
  require_modelled(memset.height == 1, "a memset of more than one dimension");
  return shared(memset_task(m, memset.dst, memset.value, bytes, memset.width));
}

}  // namespace trilane::simulator
