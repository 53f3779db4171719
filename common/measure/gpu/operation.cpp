#include "common/measure/gpu/operation.hpp"

#include <cuda_runtime_api.h>

#include "common/measure/gpu/runtime/check.hpp"

namespace trilane {
namespace {

/// A visitor of the work, made of a function for each kind.
template <typename... Functions>
struct ByKind : Functions... {
  using Functions::operator()...;
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

}  // namespace

void Operation::enqueue(cudaStream_t stream) {
  const Labelled labelled(label_);
  std::visit(
      ByKind{[&](const Copy& copy) {
               check(cudaMemcpyAsync(copy.to, copy.from, copy.bytes, copy.direction, stream));
             },
             [&](const Clear& clear) {
               check(cudaMemsetAsync(clear.to, clear.value, clear.bytes, stream));
             },
             [&](KernelLaunch& launch) {
               check(cudaLaunchKernel(launch.function, launch.grid, launch.block,
                                      launch.arguments().data(), launch.shared_bytes, stream));
             }},
      work_);
}

void Operation::enqueue_early(cudaStream_t stream) {
  KernelLaunch* const launch = std::get_if<KernelLaunch>(&work_);
  if (!early_ || launch == nullptr) return enqueue(stream);
  const Labelled labelled(label_);
  cudaLaunchAttribute early{};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = launch->grid;
  config.blockDim = launch->block;
  config.dynamicSmemBytes = launch->shared_bytes;
  config.stream = stream;
  config.attrs = &early;
  config.numAttrs = 1;
  check(cudaLaunchKernelExC(&config, launch->function, launch->arguments().data()));
}

cudaGraphNode_t Operation::add_to(cudaGraph_t graph,
                                  std::span<const cudaGraphNode_t> dependencies) {
  const Labelled labelled(label_);
  cudaGraphNode_t node = nullptr;
  const cudaGraphNode_t* const after = dependencies.data();
  const std::size_t count = dependencies.size();
  std::visit(ByKind{[&](const Copy& copy) {
                      check(cudaGraphAddMemcpyNode1D(&node, graph, after, count, copy.to, copy.from,
                                                     copy.bytes, copy.direction));
                    },
                    [&](const Clear& clear) {
                      const cudaMemsetParams params = parameters(clear);
                      check(cudaGraphAddMemsetNode(&node, graph, after, count, &params));
                    },
                    [&](KernelLaunch& launch) {
                      auto arguments = launch.arguments();
                      const cudaKernelNodeParams params = parameters(launch, arguments.data());
                      check(cudaGraphAddKernelNode(&node, graph, after, count, &params));
                    }},
             work_);
  return node;
}

void Operation::set_on(cudaGraphExec_t executable, cudaGraphNode_t node) {
  const Labelled labelled(label_);
  std::visit(ByKind{[&](const Copy& copy) {
                      check(cudaGraphExecMemcpyNodeSetParams1D(executable, node, copy.to, copy.from,
                                                               copy.bytes, copy.direction));
                    },
                    [&](const Clear& clear) {
                      const cudaMemsetParams params = parameters(clear);
                      check(cudaGraphExecMemsetNodeSetParams(executable, node, &params));
                    },
                    [&](KernelLaunch& launch) {
                      auto arguments = launch.arguments();
                      const cudaKernelNodeParams params = parameters(launch, arguments.data());
                      check(cudaGraphExecKernelNodeSetParams(executable, node, &params));
                    }},
             work_);
}

}  // namespace trilane
