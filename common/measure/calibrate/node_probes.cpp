// Graph nodes: times to create, set and update one, and launch times by number and kind of nodes.
#include <fmt/format.h>

#include "common/measure/calibrate/probes.hpp"
#include "common/measure/gpu/recording.hpp"

namespace trilane {

namespace {

constexpr int node_readings = 7;
constexpr int few_in_chain = 16, many_in_chain = 64;  // nodes of the two chains

/// A chain of nodes of one kind.
struct Chain {
  Graph graph;
  std::vector<cudaGraphNode_t> nodes;
  double adding_us;  ///< the host's time to add a node
};

Chain chain(const Bed& bed, Kind kind, int count) {
  cudaGraph_t handle = nullptr;
  check(cudaGraphCreate(&handle, 0));
  Graph graph(handle);
  Operation operation = bed.operation(kind, 0, Bed::small);
  std::vector<cudaGraphNode_t> nodes;
  const double us = timed_us([&] {
    for (int i = 0; i < count; ++i) {
      nodes.push_back(operation.add_to(handle, std::span(nodes).last(i > 0 ? 1 : 0)));
    }
  });
  return {std::move(graph), std::move(nodes), us / count};
}

struct Functions {
  Kind kind;
  const char *add, *set;
};

/// Copies in represent both directions, because the same functions create their nodes.
constexpr std::array all_functions{
    Functions{Kind::copy_in, "cudaGraphAddMemcpyNode1D", "cudaGraphExecMemcpyNodeSetParams1D"},
    Functions{Kind::memset, "cudaGraphAddMemsetNode", "cudaGraphExecMemsetNodeSetParams"},
    Functions{Kind::kernel, "cudaGraphAddKernelNode", "cudaGraphExecKernelNodeSetParams"}};

void measure_setters(Bed& bed, Profile& profile) {
  for (const auto& [kind, add, set] : all_functions) {
    Chain made = chain(bed, kind, many_in_chain);
    profile.calls_us[add] = made.adding_us;
    const Recording recording(std::move(made.graph));
    Operation operation = bed.operation(kind, 0, Bed::small);
    const auto set_all = [&] {
      for (cudaGraphNode_t node : made.nodes) operation.set_on(recording.executable(), node);
    };
    profile.calls_us[set] = bed.host_us(node_readings, set_all) / many_in_chain;
  }
}

void measure_update(Bed& bed, Profile& profile) {
  const auto update_us = [&](int count) {
    const Recording recording(chain(bed, Kind::kernel, count).graph);
    const Graph graph = chain(bed, Kind::kernel, count).graph;
    return bed.host_us(node_readings, [&] { recording.update(graph); });
  };
  const Growth update =
      growth(few_in_chain, update_us(few_in_chain), many_in_chain, update_us(many_in_chain));
  profile.calls_us["update"] = update.node_us;
  profile.calls_us["cudaGraphExecUpdate"] = update.constant_us;
}

void measure_launches(Bed& bed, Profile& profile) {
  for (const Kind kind : all_stages) {
    for (const int count : {1, 4, 16, 64, 256, 1024}) {
      const Recording recording(chain(bed, kind, count).graph);
      recording.launch(bed.origin());  // the first one takes longer
      profile.calls_us[fmt::format("launch of {} {} nodes", count, stage_names[index_of(kind)])] =
          bed.host_us(node_readings, [&] { recording.launch(bed.origin()); });
    }
  }
}

}  // namespace

void measure_nodes(Bed& bed, Profile& profile) {
  measure_setters(bed, profile);
  measure_update(bed, profile);
  measure_launches(bed, profile);
}

}  // namespace trilane
