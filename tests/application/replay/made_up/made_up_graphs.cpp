// The made-up driver's graphs.
#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "tests/application/replay/made_up/made_up_driver.hpp"
#include "tests/application/replay/made_up/made_up_tables.hpp"

namespace trilane::made_up {

namespace {

CUresult add_node(CUgraphNode* handle, CUgraph graph, const CUgraphNode* after, std::size_t count,
                  std::function<CUresult()> run) {
  auto node = std::make_unique<Node>();
  node->run = std::move(run);
  for (std::size_t i = 0; i < count; ++i) {
    node->after.push_back(reinterpret_cast<const Node*>(after[i]));
  }
  *handle = reinterpret_cast<CUgraphNode>(node.get());
  state().graphs.at(graph)->nodes.push_back(std::move(node));
  return CUDA_SUCCESS;
}

CUresult set_node(CUgraphExec exec, CUgraphNode node, std::function<CUresult()> run) {
  state().execs.at(exec)->nodes.at(reinterpret_cast<const Node*>(node)).run = std::move(run);
  return CUDA_SUCCESS;
}

bool is_function(const CUDA_KERNEL_NODE_PARAMS& kernel) {
  return reinterpret_cast<std::uint64_t>(kernel.func) % 2 == 1;
}

/// Of the nodes that may run next, always the one that was added last.
CUresult run_nodes(GraphExec exec) {
  std::set<const Node*> done;
  while (!exec.order.empty()) {
    const auto ready = std::find_if(exec.order.rbegin(), exec.order.rend(), [&](const Node* node) {
      return std::ranges::all_of(exec.nodes.at(node).after,
                                 [&](const Node* before) { return done.contains(before); });
    });
    const CUresult result = exec.nodes.at(*ready).run();
    if (result != CUDA_SUCCESS) return result;
    done.insert(*ready);
    exec.order.erase(std::next(ready).base());
  }
  return CUDA_SUCCESS;
}

void add_nodes(ReplayDriver& all) {
  all.cuGraphAddKernelNode = [](CUgraphNode* node, CUgraph graph, const CUgraphNode* after,
                                std::size_t count, const CUDA_KERNEL_NODE_PARAMS* kernel) {
    if (!is_function(*kernel)) return CUDA_ERROR_INVALID_HANDLE;
    return add_node(node, graph, after, count, launched(kernel->func, kernel->kernelParams));
  };
  all.cuGraphAddMemcpyNode = [](CUgraphNode* node, CUgraph graph, const CUgraphNode* after,
                                std::size_t count, const CUDA_MEMCPY3D* block, CUcontext) {
    return add_node(node, graph, after, count, copied(*block));
  };
  all.cuGraphAddMemsetNode = [](CUgraphNode* node, CUgraph graph, const CUgraphNode* after,
                                std::size_t count, const CUDA_MEMSET_NODE_PARAMS* memset,
                                CUcontext) {
    return add_node(node, graph, after, count, set(*memset));
  };
  all.cuGraphExecKernelNodeSetParams = [](CUgraphExec exec, CUgraphNode node,
                                          const CUDA_KERNEL_NODE_PARAMS* kernel) {
    if (!is_function(*kernel)) return CUDA_ERROR_INVALID_HANDLE;
    return set_node(exec, node, launched(kernel->func, kernel->kernelParams));
  };
  all.cuGraphExecMemcpyNodeSetParams = [](CUgraphExec exec, CUgraphNode node,
                                          const CUDA_MEMCPY3D* block, CUcontext) {
    return set_node(exec, node, copied(*block));
  };
  all.cuGraphExecMemsetNodeSetParams = [](CUgraphExec exec, CUgraphNode node,
                                          const CUDA_MEMSET_NODE_PARAMS* memset,
                                          CUcontext) { return set_node(exec, node, set(*memset)); };
  all.cuGraphKernelNodeSetAttribute = [](CUgraphNode, CUkernelNodeAttrID,
                                         const CUkernelNodeAttrValue*) { return CUDA_SUCCESS; };
}

}  // namespace

void add_graphs(ReplayDriver& all) {
  add_nodes(all);
  all.cuGraphCreate = [](CUgraph* graph, unsigned) {
    auto made = std::make_unique<Graph>();
    *graph = reinterpret_cast<CUgraph>(made.get());
    state().graphs[*graph] = std::move(made);
    return CUDA_SUCCESS;
  };
  all.cuGraphDestroy = [](CUgraph graph) {
    return state().graphs.erase(graph) == 1 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
  };
  all.cuGraphGetNodes = [](CUgraph graph, CUgraphNode*, std::size_t* count) {
    *count = state().graphs.at(graph)->nodes.size();
    return CUDA_SUCCESS;
  };
  all.cuGraphGetEdges = [](CUgraph graph, CUgraphNode*, CUgraphNode*, CUgraphEdgeData*,
                           std::size_t* count) {
    *count = 0;
    for (const auto& node : state().graphs.at(graph)->nodes) *count += node->after.size();
    return CUDA_SUCCESS;
  };
  all.cuGraphInstantiate = [](CUgraphExec* exec, CUgraph graph, unsigned long long) {
    auto made = std::make_unique<GraphExec>();
    for (const auto& node : state().graphs.at(graph)->nodes) {
      made->order.push_back(node.get());
      made->nodes[node.get()] = *node;
    }
    *exec = reinterpret_cast<CUgraphExec>(made.get());
    state().execs[*exec] = std::move(made);
    return CUDA_SUCCESS;
  };
  all.cuGraphExecDestroy = [](CUgraphExec exec) {
    return state().execs.erase(exec) == 1 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
  };
  all.cuGraphUpload = [](CUgraphExec, CUstream) { return CUDA_SUCCESS; };
  all.cuGraphLaunch = [](CUgraphExec exec, CUstream stream) {
    put(stream, [graph = *state().execs.at(exec)] { return run_nodes(graph); });
    return CUDA_SUCCESS;
  };
}

}  // namespace trilane::made_up
