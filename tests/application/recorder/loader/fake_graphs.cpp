// Stands in for the driver's library on machines without one: knows graphs, but no device.
#include "fake_graphs.hpp"

#include <cupti.h>
#include <dlfcn.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

struct CUgraphNode_st {
  CUgraphNodeType type = CU_GRAPH_NODE_TYPE_EMPTY;
  CUDA_KERNEL_NODE_PARAMS kernel{};
  std::uint64_t pointer = 0;
  std::uint32_t number = 0;
  void* places[2] = {&pointer, &number};
  CUDA_MEMCPY3D copy{};
  CUDA_MEMSET_NODE_PARAMS memset{};
  CUDA_MEM_ALLOC_NODE_PARAMS allocation{};
  std::shared_ptr<CUgraph_st> child;
  const CUgraphNode_st* original = nullptr;

  void set(const CUDA_KERNEL_NODE_PARAMS& parameters) {
    kernel = parameters;
    pointer = *static_cast<std::uint64_t*>(parameters.kernelParams[0]);
    number = *static_cast<std::uint32_t*>(parameters.kernelParams[1]);
    kernel.kernelParams = places;
  }
};

struct CUgraph_st {
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes;
  std::vector<std::pair<std::size_t, std::size_t>> edges;

  CUgraphNode_st& add(CUgraphNodeType type) {
    nodes.push_back(std::make_unique<CUgraphNode_st>());
    nodes.back()->type = type;
    return *nodes.back();
  }
  /// Adds a copy of 64 bytes; the caller sets its sides.
  CUDA_MEMCPY3D& add_copy() {
    CUDA_MEMCPY3D& copy = add(CU_GRAPH_NODE_TYPE_MEMCPY).copy;
    copy.WidthInBytes = 64;
    copy.Height = copy.Depth = 1;
    return copy;
  }
  void add_memset(CUdeviceptr to, unsigned element_bytes, std::size_t elements) {
    CUDA_MEMSET_NODE_PARAMS& memset = add(CU_GRAPH_NODE_TYPE_MEMSET).memset;
    memset.dst = to;
    memset.elementSize = element_bytes;
    memset.width = elements;
    memset.height = 1;
  }
};

namespace {

std::map<CUstream, CUstreamCaptureStatus> captured;
CUgraph_st capturing;
std::size_t free_memory = std::size_t{1} << 40;

struct FakePool {
  std::uint64_t reserved = 0, reserved_most = 0, threshold = 0;
};
std::map<CUmemoryPool, FakePool> pools;
CUmemoryPool current = nullptr;  ///< the first that was set

const CUfunction kernel = reinterpret_cast<CUfunction>(0x77);

}  // namespace

extern "C" {

FakeGraph fake_graph() {
  static char host[64];
  static std::uint64_t pointer = 0x1000;
  static std::uint32_t number = 0;
  static void* parameters[] = {&pointer, &number};
  auto* const graph = new CUgraph_st;
  CUDA_MEMCPY3D& copy = graph->add_copy();
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = host;
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = 0x1000;
  CUDA_KERNEL_NODE_PARAMS launch{};
  launch.func = kernel;
  launch.gridDimX = 4;
  launch.blockDimX = 256;
  launch.gridDimY = launch.gridDimZ = launch.blockDimY = launch.blockDimZ = 1;
  launch.kernelParams = parameters;
  CUgraphNode_st& kernel_node = graph->add(CU_GRAPH_NODE_TYPE_KERNEL);
  kernel_node.set(launch);
  graph->add(CU_GRAPH_NODE_TYPE_GRAPH).child = std::make_shared<CUgraph_st>();
  graph->add(CU_GRAPH_NODE_TYPE_EMPTY);
  graph->nodes[2]->child->add_memset(0x1010, 4, 8);
  graph->edges = {{0, 1}, {1, 3}, {3, 2}};
  return {graph, &kernel_node, launch};
}

CUgraph fake_memory_graph() {
  static char host[64];
  constexpr CUdeviceptr scratch = 0x9000;
  auto* const graph = new CUgraph_st;
  CUgraphNode_st& allocation = graph->add(CU_GRAPH_NODE_TYPE_MEM_ALLOC);
  allocation.allocation.dptr = scratch;
  allocation.allocation.bytesize = 64;
  graph->add_memset(scratch, 1, 64);
  CUDA_MEMCPY3D& copy = graph->add_copy();
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = scratch;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = host;
  graph->add(CU_GRAPH_NODE_TYPE_MEM_FREE).allocation.dptr = scratch;
  graph->edges = {{0, 1}, {1, 2}, {2, 3}};
  return graph;
}

FakeLoop fake_loop() {
  auto *const graph = new CUgraph_st, *const body = new CUgraph_st;
  body->add_memset(0x1000, 1, 64);
  return {graph, body, &graph->add(CU_GRAPH_NODE_TYPE_CONDITIONAL)};
}

void fake_spoil(CUgraph graph) {
  graph->nodes[0]->copy.WidthInBytes = 0;
  delete graph;
}

void fake_take(std::size_t bytes) { free_memory -= bytes; }

CUresult cuMemGetInfo_v2(std::size_t* free, std::size_t* all) {
  *free = free_memory;
  *all = std::size_t{1} << 40;
  return CUDA_SUCCESS;
}

CUresult cuGraphClone(CUgraph* clone, CUgraph graph) {
  for (const auto& node : graph->nodes) {
    const bool decides = node->type == CU_GRAPH_NODE_TYPE_CONDITIONAL;
    if (decides || node->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC) return CUDA_ERROR_NOT_SUPPORTED;
  }
  fake_take(std::size_t{1} << 24);
  *clone = new CUgraph_st;
  for (const auto& node : graph->nodes) {
    CUgraphNode_st& copy = (*clone)->add(node->type);
    copy.original = node.get();
    copy.copy = node->copy;
    copy.memset = node->memset;
    if (node->type == CU_GRAPH_NODE_TYPE_KERNEL) copy.set(node->kernel);
    CUgraph child = nullptr;
    if (node->child != nullptr) cuGraphClone(&child, node->child.get());
    copy.child.reset(child);
  }
  (*clone)->edges = graph->edges;
  return CUDA_SUCCESS;
}

CUresult cuGraphDestroy(CUgraph graph) {
  delete graph;
  return CUDA_SUCCESS;
}

CUresult cuGraphNodeFindInClone(CUgraphNode* found, CUgraphNode node, CUgraph clone) {
  for (const auto& one : clone->nodes) {
    if (one->original == node) *found = one.get();
  }
  return *found == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

void fake_capture(CUstream stream, CUstreamCaptureStatus status, int nodes) {
  captured[stream] = status;
  while (static_cast<int>(capturing.nodes.size()) < nodes) capturing.add(CU_GRAPH_NODE_TYPE_EMPTY);
}

void fake_pool(CUmemoryPool pool, std::uint64_t reserved, std::uint64_t threshold) {
  if (current == nullptr) current = pool;
  pools[pool] = {reserved, std::max(reserved, pools[pool].reserved_most), threshold};
}

CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void* value) {
  const FakePool& asked = pools.at(pool);
  const std::uint64_t answer =
      attribute == CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT ? asked.reserved
      : attribute == CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH  ? asked.reserved_most
      : attribute == CU_MEMPOOL_ATTR_RELEASE_THRESHOLD  ? asked.threshold
                                                        : asked.reserved / 2;
  *static_cast<std::uint64_t*>(value) = answer;
  return CUDA_SUCCESS;
}

CUresult cuPointerGetAttribute(void* value, CUpointer_attribute attribute, CUdeviceptr address) {
  if (attribute != CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE) return CUDA_ERROR_INVALID_VALUE;
  *static_cast<CUmemoryPool*>(value) = address >> 32 == 0 ? nullptr : current;
  return CUDA_SUCCESS;
}

/// Only these streams are not blocking.
CUresult cuStreamGetFlags(CUstream stream, unsigned* flags) {
  const auto handle = reinterpret_cast<std::uintptr_t>(stream);
  *flags = handle >= 0xa0 && handle < 0xb0 ? CU_STREAM_NON_BLOCKING : CU_STREAM_DEFAULT;
  return CUDA_SUCCESS;
}

CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus* status) {
  *status = captured[stream];
  return CUDA_SUCCESS;
}

CUresult cuStreamGetCaptureInfo_v3(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t*,
                                   CUgraph* graph, const CUgraphNode**, const CUgraphEdgeData**,
                                   std::size_t*) {
  *graph = &capturing;
  return cuStreamIsCapturing(stream, status);
}

CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode* nodes, std::size_t* count) {
  *count = graph->nodes.size();
  for (std::size_t i = 0; nodes != nullptr && i < *count; ++i) nodes[i] = graph->nodes[i].get();
  return CUDA_SUCCESS;
}

CUresult cuGraphGetEdges_v2(CUgraph graph, CUgraphNode* from, CUgraphNode* to, CUgraphEdgeData*,
                            std::size_t* count) {
  *count = graph->edges.size();
  for (std::size_t i = 0; from != nullptr && i < *count; ++i) {
    from[i] = graph->nodes[graph->edges[i].first].get();
    to[i] = graph->nodes[graph->edges[i].second].get();
  }
  return CUDA_SUCCESS;
}

CUresult cuGraphNodeGetType(CUgraphNode node, CUgraphNodeType* type) {
  *type = node->type;
  return CUDA_SUCCESS;
}

CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph* graph) {
  *graph = node->child.get();
  return CUDA_SUCCESS;
}

CUresult cuGraphKernelNodeGetParams_v2(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS* parameters) {
  *parameters = node->kernel;
  return CUDA_SUCCESS;
}
CUresult cuGraphKernelNodeSetParams_v2(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS* given) {
  node->set(*given);
  return CUDA_SUCCESS;
}
CUresult cuGraphMemcpyNodeGetParams(CUgraphNode node, CUDA_MEMCPY3D* parameters) {
  *parameters = node->copy;
  return CUDA_SUCCESS;
}
CUresult cuGraphMemcpyNodeSetParams(CUgraphNode node, const CUDA_MEMCPY3D* parameters) {
  node->copy = *parameters;
  return CUDA_SUCCESS;
}
CUresult cuGraphMemsetNodeGetParams(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS* parameters) {
  *parameters = node->memset;
  return CUDA_SUCCESS;
}
CUresult cuGraphHostNodeSetParams(CUgraphNode, const CUDA_HOST_NODE_PARAMS*) {
  return CUDA_ERROR_NOT_SUPPORTED;
}
CUresult cuGraphMemsetNodeSetParams(CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS* parameters) {
  node->memset = *parameters;
  return CUDA_SUCCESS;
}
CUresult cuGraphMemAllocNodeGetParams(CUgraphNode node, CUDA_MEM_ALLOC_NODE_PARAMS* parameters) {
  *parameters = node->allocation;
  return CUDA_SUCCESS;
}
CUresult cuGraphMemFreeNodeGetParams(CUgraphNode node, CUdeviceptr* address) {
  *address = node->allocation.dptr;
  return CUDA_SUCCESS;
}
CUresult cuGraphNodeSetParams(CUgraphNode, CUgraphNodeParams*) { return CUDA_ERROR_NOT_SUPPORTED; }

CUresult cuFuncGetName(const char** name, CUfunction function) {
  *name = "fake";
  return function == kernel ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuFuncGetParamInfo(CUfunction, std::size_t parameter, std::size_t* offset,
                            std::size_t* bytes) {
  if (parameter > 1) return CUDA_ERROR_INVALID_VALUE;
  *offset = 8 * parameter;
  *bytes = 8 - 4 * parameter;
  return CUDA_SUCCESS;
}

/// The recorder calls it to measure the cost of CUPTI's callbacks.
CUresult cuCtxGetDevice(CUdevice* device) {
  using Call = void(CUpti_CallbackId, const void*, int, CUresult);
  static void* const cupti = dlopen("libcupti.so.13", RTLD_NOW | RTLD_NOLOAD);
  static Call* const call =
      cupti == nullptr ? nullptr : reinterpret_cast<Call*>(dlsym(cupti, "fake_call"));
  const cuCtxGetDevice_params parameters{.device = device};
  if (call != nullptr) call(CUPTI_DRIVER_TRACE_CBID_cuCtxGetDevice, &parameters, 0, CUDA_SUCCESS);
  *device = 0;
  if (call != nullptr) call(CUPTI_DRIVER_TRACE_CBID_cuCtxGetDevice, &parameters, 1, CUDA_SUCCESS);
  return CUDA_SUCCESS;
}

}  // extern "C"
