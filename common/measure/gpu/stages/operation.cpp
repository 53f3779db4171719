#include "common/measure/gpu/stages/operation.hpp"

#include <cuda_runtime_api.h>

#include "common/measure/gpu/runtime/check.hpp"

namespace trilane {

namespace {

struct Enqueue {
  cudaStream_t stream;

  void operator()(const Operation::Copy& copy) const {
    check(cudaMemcpyAsync(copy.to, copy.from, copy.bytes, copy.direction, stream));
  }
  void operator()(const Operation::Clear& clear) const {
    check(cudaMemsetAsync(clear.to, clear.value, clear.bytes, stream));
  }
  void operator()(KernelLaunch& launch) const {
    check(cudaLaunchKernel(launch.function, launch.grid, launch.block, launch.arguments().data(),
                           launch.shared_bytes, stream));
  }
};

struct EnqueueEarly : Enqueue {
  using Enqueue::operator();
  void operator()(KernelLaunch& launch) const {
    cudaLaunchAttribute early{};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = launch.grid;
    config.blockDim = launch.block;
    config.dynamicSmemBytes = launch.shared_bytes;
    config.stream = stream;
    config.attrs = &early;
    config.numAttrs = 1;
    check(cudaLaunchKernelExC(&config, launch.function, launch.arguments().data()));
  }
};

cudaMemsetParams parameters(const Operation::Clear& clear) {
  cudaMemsetParams parameters{};
  constexpr std::uint64_t word = sizeof(std::uint32_t);
  const bool in_words = clear.bytes % word == 0;  // as fast as bytes
  parameters.dst = clear.to;
  parameters.value = in_words ? clear.value * 0x01010101u : clear.value;
  parameters.elementSize = in_words ? word : 1;
  parameters.width = clear.bytes / parameters.elementSize;
  parameters.height = 1;
  return parameters;
}

cudaKernelNodeParams parameters(const KernelLaunch& launch, void** arguments) {
  cudaKernelNodeParams parameters{};
  parameters.func = const_cast<void*>(launch.function);
  parameters.gridDim = launch.grid;
  parameters.blockDim = launch.block;
  parameters.sharedMemBytes = launch.shared_bytes;
  parameters.kernelParams = arguments;
  return parameters;
}

struct AddTo {
  cudaGraph_t graph;
  std::span<const cudaGraphNode_t> after;
  cudaGraphNode_t node = nullptr;

  void operator()(const Operation::Copy& copy) {
    check(cudaGraphAddMemcpyNode1D(&node, graph, after.data(), after.size(), copy.to, copy.from,
                                   copy.bytes, copy.direction));
  }
  void operator()(const Operation::Clear& clear) {
    const cudaMemsetParams params = parameters(clear);
    check(cudaGraphAddMemsetNode(&node, graph, after.data(), after.size(), &params));
  }
  void operator()(KernelLaunch& launch) {
    auto arguments = launch.arguments();
    const cudaKernelNodeParams params = parameters(launch, arguments.data());
    check(cudaGraphAddKernelNode(&node, graph, after.data(), after.size(), &params));
  }
};

struct SetOn {
  cudaGraphExec_t executable;
  cudaGraphNode_t node;

  void operator()(const Operation::Copy& copy) const {
    check(cudaGraphExecMemcpyNodeSetParams1D(executable, node, copy.to, copy.from, copy.bytes,
                                             copy.direction));
  }
  void operator()(const Operation::Clear& clear) const {
    const cudaMemsetParams params = parameters(clear);
    check(cudaGraphExecMemsetNodeSetParams(executable, node, &params));
  }
  void operator()(KernelLaunch& launch) const {
    auto arguments = launch.arguments();
    const cudaKernelNodeParams params = parameters(launch, arguments.data());
    check(cudaGraphExecKernelNodeSetParams(executable, node, &params));
  }
};

}  // namespace

void Operation::enqueue(cudaStream_t stream) {
  const Labelled labelled(label_);
  std::visit(Enqueue{stream}, work_);
}

void Operation::enqueue_early(cudaStream_t stream) {
  if (!early_) return enqueue(stream);
  const Labelled labelled(label_);
  std::visit(EnqueueEarly{stream}, work_);
}

cudaGraphNode_t Operation::add_to(cudaGraph_t graph,
                                  std::span<const cudaGraphNode_t> dependencies) {
  const Labelled labelled(label_);
  AddTo add{graph, dependencies};
  std::visit(add, work_);
  return add.node;
}

void Operation::set_on(cudaGraphExec_t executable, cudaGraphNode_t node) {
  const Labelled labelled(label_);
  std::visit(SetOn{executable, node}, work_);
}

}  // namespace trilane
