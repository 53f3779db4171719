// The fake driver's graphs.
#include "common/application/replay/replay_driver.hpp"
#include "tests/application/replay/fake/fake_driver.hpp"

namespace trilane::fake {

namespace {

CUresult add_node(CUgraphNode* handle, CUgraph graph, CUgraphNodeType type,
                  const CUgraphNode* after, std::size_t count, std::function<CUresult()> run) {
  auto node = std::make_unique<Node>();
  node->type = type;
  node->run = std::move(run);
  for (std::size_t i = 0; i < count; ++i) {
    node->after.push_back(reinterpret_cast<const Node*>(after[i]));
  }
  node->edges.resize(count);
  *handle = reinterpret_cast<CUgraphNode>(node.get());
  reinterpret_cast<Graph*>(graph)->nodes.push_back(std::move(node));
  return CUDA_SUCCESS;
}

CUresult set_node(CUgraphExec exec, CUgraphNode node, std::function<CUresult()> run) {
  state().execs.at(exec)->nodes.at(reinterpret_cast<const Node*>(node)).run = std::move(run);
  return CUDA_SUCCESS;
}

bool is_function(const CUDA_KERNEL_NODE_PARAMS& kernel) {
  return reinterpret_cast<std::uint64_t>(kernel.func) % 2 == 1;
}

/// Among the nodes that may run next, always runs the one added last.
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

GraphExec executable(const Graph& graph) {
  GraphExec made;
  for (const auto& node : graph.nodes) {
    made.order.push_back(node.get());
    made.nodes[node.get()] = *node;
  }
  return made;
}

/// Adds a WHILE node. At each launch its condition is at first true.
CUresult add_loop(CUgraphNode* node, CUgraph graph, const CUgraphNode* after,
                  const CUgraphEdgeData*, std::size_t count, CUgraphNodeParams* of_node) {
  auto& conditional = of_node->conditional;
  if (of_node->type != CU_GRAPH_NODE_TYPE_CONDITIONAL || conditional.size != 1 ||
      conditional.type != CU_GRAPH_COND_TYPE_WHILE || conditional.ctx == nullptr) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  auto& bodies = reinterpret_cast<Graph*>(graph)->bodies;
  static CUgraph body = nullptr;
  body = reinterpret_cast<CUgraph>(bodies.emplace_back(std::make_unique<Graph>()).get());
  conditional.phGraph_out = &body;
  return add_node(node, graph, CU_GRAPH_NODE_TYPE_CONDITIONAL, after, count,
                  [content = bodies.back().get(), handle = conditional.handle] {
                    bool& condition = state().conditions.at(handle);
                    CUresult result = CUDA_SUCCESS;
                    for (condition = true; condition && result == CUDA_SUCCESS;) {
                      result = run_nodes(executable(*content));
                    }
                    return result;
                  });
}

/// The only code that is loaded ends loops: see kernels/graph_loop.cu.
void add_loops(ReplayDriver& all) {
  all.cuGraphConditionalHandleCreate = [](CUgraphConditionalHandle* handle, CUgraph, CUcontext,
                                          unsigned first, unsigned flags) {
    *handle = state().conditions.size();
    state().conditions.push_back(false);
    const bool is_usual = first == 1 && flags == CU_GRAPH_COND_ASSIGN_DEFAULT;
    return is_usual ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  };
  all.cuGraphAddNode = add_loop;
  all.cuModuleLoadData = [](CUmodule* module, const void*) {
    auto next_turn =
        std::make_unique<Kernel>(Kernel{3, [](const Kernel::Words& words) {
                                          auto& left = *reinterpret_cast<std::uint32_t*>(words[1]);
                                          state().conditions.at(words[0]) = --left != 0;
                                          if (left == 0)
                                            left = static_cast<std::uint32_t>(words[2]);
                                        }});
    return keep(state().modules, std::move(next_turn), module);
  };
  all.cuModuleUnload = [](CUmodule module) { return forget(state().modules, module); };
  all.cuModuleGetFunction = [](CUfunction* function, CUmodule module, const char* name) {
    *function = state().modules.at(module)->function();
    return std::string_view(name) == "trilane_next_turn" ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
  };
}

void add_nodes(ReplayDriver& all) {
  all.cuGraphAddKernelNode = [](CUgraphNode* node, CUgraph graph, const CUgraphNode* after,
                                std::size_t count, const CUDA_KERNEL_NODE_PARAMS* kernel) {
    if (!is_function(*kernel)) return CUDA_ERROR_INVALID_HANDLE;
    return add_node(node, graph, CU_GRAPH_NODE_TYPE_KERNEL, after, count,
                    launched(kernel->func, kernel->kernelParams));
  };
  all.cuGraphAddMemcpyNode = [](CUgraphNode* node, CUgraph graph, const CUgraphNode* after,
                                std::size_t count, const CUDA_MEMCPY3D* block, CUcontext) {
    return add_node(node, graph, CU_GRAPH_NODE_TYPE_MEMCPY, after, count, copied(*block));
  };
  all.cuGraphAddMemsetNode = [](CUgraphNode* node, CUgraph graph, const CUgraphNode* after,
                                std::size_t count, const CUDA_MEMSET_NODE_PARAMS* memset,
                                CUcontext) {
    return add_node(node, graph, CU_GRAPH_NODE_TYPE_MEMSET, after, count, set(*memset));
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
}

/// Returns true only for attributes of nodes, and only of kernels, as on a real driver.
bool takes(const Node& node, CUkernelNodeAttrID id) {
  switch (id) {
    case CU_LAUNCH_ATTRIBUTE_IGNORE:
    case CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY:
    case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION:
    case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT:
    case CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT: return false;
    default: return node.type == CU_GRAPH_NODE_TYPE_KERNEL;
  }
}

/// A programmatic edge leads from a port of one kernel to another kernel.
bool is_valid(const Node& from, const Node& to, const CUgraphEdgeData& edge) {
  if (edge.to_port != 0) return false;
  if (edge.type == CU_GRAPH_DEPENDENCY_TYPE_DEFAULT) return edge.from_port == 0;
  return edge.type == CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC && edge.from_port != 0 &&
         from.type == CU_GRAPH_NODE_TYPE_KERNEL && to.type == CU_GRAPH_NODE_TYPE_KERNEL;
}

void add_attributes(ReplayDriver& all) {
  all.cuGraphKernelNodeSetAttribute = [](CUgraphNode handle, CUkernelNodeAttrID id,
                                         const CUkernelNodeAttrValue* value) {
    Node& node = *reinterpret_cast<Node*>(handle);
    if (!takes(node, id)) return CUDA_ERROR_INVALID_VALUE;
    node.attributes[id] = *value;
    return CUDA_SUCCESS;
  };
  all.cuGraphKernelNodeGetAttribute = [](CUgraphNode handle, CUkernelNodeAttrID id,
                                         CUkernelNodeAttrValue* value) {
    const Node& node = *reinterpret_cast<const Node*>(handle);
    if (!takes(node, id)) return CUDA_ERROR_INVALID_VALUE;
    const auto found = node.attributes.find(id);
    *value = found == node.attributes.end() ? CUkernelNodeAttrValue{} : found->second;
    return CUDA_SUCCESS;
  };
  all.cuGraphNodeGetType = [](CUgraphNode handle, CUgraphNodeType* type) {
    *type = reinterpret_cast<const Node*>(handle)->type;
    return CUDA_SUCCESS;
  };
  all.cuGraphAddDependencies = [](CUgraph, const CUgraphNode* from, const CUgraphNode* to,
                                  const CUgraphEdgeData* data, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const Node* const before = reinterpret_cast<const Node*>(from[i]);
      Node& node = *reinterpret_cast<Node*>(to[i]);
      if (!is_valid(*before, node, data[i])) return CUDA_ERROR_INVALID_VALUE;
      node.after.push_back(before);
      node.edges.push_back(data[i]);
    }
    return CUDA_SUCCESS;
  };
}

}  // namespace

void add_graphs(ReplayDriver& all) {
  add_nodes(all);
  add_attributes(all);
  add_loops(all);
  all.cuGraphCreate = [](CUgraph* graph, unsigned) {
    return keep(state().graphs, std::make_unique<Graph>(), graph);
  };
  all.cuGraphDestroy = [](CUgraph graph) { return forget(state().graphs, graph); };
  all.cuGraphGetNodes = [](CUgraph graph, CUgraphNode* nodes, std::size_t* count) {
    const auto& made = reinterpret_cast<const Graph*>(graph)->nodes;
    *count = made.size();
    for (std::size_t i = 0; nodes != nullptr && i < *count; ++i) {
      nodes[i] = reinterpret_cast<CUgraphNode>(made[i].get());
    }
    return CUDA_SUCCESS;
  };
  all.cuGraphGetEdges = [](CUgraph graph, CUgraphNode*, CUgraphNode*, CUgraphEdgeData* data,
                           std::size_t* count) {
    *count = 0;
    for (const auto& node : reinterpret_cast<const Graph*>(graph)->nodes) {
      if (data != nullptr) std::ranges::copy(node->edges, data + *count);
      *count += node->edges.size();
    }
    return CUDA_SUCCESS;
  };
  all.cuGraphInstantiate = [](CUgraphExec* exec, CUgraph graph, unsigned long long flags) {
    auto made = std::make_unique<GraphExec>(executable(*state().graphs.at(graph)));
    made->flags = flags;
    return keep(state().execs, std::move(made), exec);
  };
  all.cuGraphExecDestroy = [](CUgraphExec exec) { return forget(state().execs, exec); };
  all.cuGraphUpload = [](CUgraphExec, CUstream) { return CUDA_SUCCESS; };
  all.cuGraphLaunch = [](CUgraphExec exec, CUstream stream) {
    put(stream, [graph = *state().execs.at(exec)] { return run_nodes(graph); });
    return CUDA_SUCCESS;
  };
}

}  // namespace trilane::fake
