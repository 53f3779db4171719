// Graph nodes: times to make, set and update one, and of launches by number and kind of nodes.
#include <fmt/format.h>

#include "common/calibrate/probes/probes.hpp"
#include "common/device/profile/profile.hpp"
#include "common/gpu/graphs/recording.hpp"
#include "common/gpu/stages/operation.hpp"
#include "kernels/transform.hpp"

namespace trilane {

namespace {

constexpr std::uint64_t small = 4 << 10;  // bytes of every operation, as for streams
constexpr int readings = 7;
constexpr int few = 16, many = 64;  // nodes of the two chains

class Nodes {
 public:
  Nodes()
      : in_(make_device_buffer(small)),
        out_(make_device_buffer(small)),
        host_in_(make_pinned_buffer(small)),
        host_out_(make_pinned_buffer(small)) {}

  Operation operation(Kind kind) const {
    const auto* const words = reinterpret_cast<const std::uint32_t*>(in_.get());
    auto* const results = reinterpret_cast<std::uint32_t*>(out_.get());
    constexpr std::uint64_t count = small / sizeof *words;
    switch (kind) {
      case Kind::copy_in:
        return Operation(Operation::Copy{in_.get(), host_in_.get(), small, cudaMemcpyHostToDevice});
      case Kind::copy_out:
        return Operation(
            Operation::Copy{host_out_.get(), out_.get(), small, cudaMemcpyDeviceToHost});
      case Kind::memset: return Operation(Operation::Clear{out_.get(), small});
      default: return Operation(transform_launch(words, results, count, count, 0, 1));
    }
  }

  /// A chain of `count` nodes of that kind. Sets `adding_us` to the host's time to add one.
  Graph chain(Kind kind, int count, double& adding_us) {
    cudaGraph_t handle = nullptr;
    check(cudaGraphCreate(&handle, 0));
    Graph graph(handle);
    Operation node = operation(kind);
    nodes_.clear();
    const double start = now_us();
    for (int i = 0; i < count; ++i) {
      const std::size_t before = nodes_.size();
      nodes_.push_back(node.add_to(graph.get(), std::span(nodes_).last(before > 0 ? 1 : 0)));
    }
    adding_us = (now_us() - start) / count;
    return graph;
  }

  /// The nodes of the latest chain.
  const std::vector<cudaGraphNode_t>& nodes() const { return nodes_; }

 private:
  DeviceBuffer in_, out_;
  PinnedBuffer host_in_, host_out_;
  std::vector<cudaGraphNode_t> nodes_;
};

struct Functions {
  const char *add, *set;
};

/// Copies in stand for both directions, because the same functions make their nodes.
Functions functions_of(Kind kind) {
  if (kind == Kind::copy_in) {
    return {"cudaGraphAddMemcpyNode1D", "cudaGraphExecMemcpyNodeSetParams1D"};
  }
  if (kind == Kind::memset) return {"cudaGraphAddMemsetNode", "cudaGraphExecMemsetNodeSetParams"};
  return {"cudaGraphAddKernelNode", "cudaGraphExecKernelNodeSetParams"};
}

void measure_setters(Bed& bed, Nodes& nodes, Profile& profile) {
  for (const Kind kind : {Kind::copy_in, Kind::memset, Kind::kernel}) {
    const auto [add, set] = functions_of(kind);
    double adding_us = 0;
    const Recording recording(nodes.chain(kind, many, adding_us));
    profile.calls_us[add] = adding_us;
    Operation operation = nodes.operation(kind);
    profile.calls_us[set] = bed.host_us(readings, [&] {
      for (cudaGraphNode_t node : nodes.nodes()) {
        operation.set_on(recording.executable(), node);
      }
    }) / many;
  }
}

/// From the difference between two chains of different length.
void measure_update(Bed& bed, Nodes& nodes, Profile& profile) {
  const auto update_us = [&](int count) {
    double adding_us = 0;
    const Recording recording(nodes.chain(Kind::kernel, count, adding_us));
    const Graph graph = nodes.chain(Kind::kernel, count, adding_us);
    return bed.host_us(readings, [&] { recording.update(graph); });
  };
  const double shorter = update_us(few), longer = update_us(many);
  const double node = std::max(0.0, (longer - shorter) / (many - few));
  profile.calls_us["update"] = node;
  profile.calls_us["cudaGraphExecUpdate"] = std::max(0.0, shorter - few * node);
}

void measure_launches(Bed& bed, Nodes& nodes, Profile& profile) {
  for (const Kind kind : all_stages) {
    for (const int count : {1, 4, 16, 64, 256, 1024}) {
      double adding_us = 0;
      const Recording recording(nodes.chain(kind, count, adding_us));
      recording.launch(bed.origin());  // the first one takes longer
      profile.calls_us[fmt::format("launch of {} {} nodes", count, stage_names[index_of(kind)])] =
          bed.host_us(readings, [&] { recording.launch(bed.origin()); });
    }
  }
}

}  // namespace

void measure_nodes(Bed& bed, Profile& profile) {
  Nodes nodes;
  measure_setters(bed, nodes, profile);
  measure_update(bed, nodes, profile);
  measure_launches(bed, nodes, profile);
}

}  // namespace trilane
