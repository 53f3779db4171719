#include "common/measure/calibrate/bed.hpp"
#include "common/measure/gpu/recording.hpp"

namespace trilane {
namespace {

constexpr int graph_readings = 15;
constexpr int few_nodes = 32, many_nodes = 128;  // nodes of the two chains

Issue alternating(const Bed& bed, Kind one, Kind other, int nodes) {
  return [=, &bed](cudaStream_t stream) {
    for (int i = 0; i < nodes; ++i) {
      bed.operation(i % 2 == 0 ? one : other, 0, Bed::small).enqueue(stream);
    }
  };
}

struct LaunchTimes {
  double submit, wall;
};

LaunchTimes launch_times(Bed& bed, const Recording& recording) {
  for (int i = 0; i < 2; ++i) recording.launch(bed.origin());  // the first ones take longer
  const double submit = bed.host_us(graph_readings, [&] { recording.launch(bed.origin()); });
  const double wall = bed.host_us(graph_readings, [&] {
    recording.launch(bed.origin());
    check(cudaStreamSynchronize(bed.origin()));
  });
  return {submit, wall};
}

double graph_duration(const Profile& profile, Kind kind) {
  if (kind == Kind::kernel) {
    return profile.kernel_time({.words = Bed::small / 4, .outputs = Bed::small / 4}).us;
  }
  return at_size(profile.engine.duration[index_of(kind)], Bed::small);
}

/// Measures a node's host time and latency, assumed equal from `one` to `other` and back.
void measure_pair(Bed& bed, Profile& profile, Kind one, Kind other) {
  const LaunchTimes shorter = launch_times(bed, Recording(alternating(bed, one, other, few_nodes)));
  const LaunchTimes longer = launch_times(bed, Recording(alternating(bed, one, other, many_nodes)));
  const Growth submit = growth(few_nodes, shorter.submit, many_nodes, longer.submit);
  const Growth wall = growth(few_nodes, shorter.wall, many_nodes, longer.wall);
  const double busy = (graph_duration(profile, one) + graph_duration(profile, other)) / 2;
  for (const auto& [from, to] : {std::pair{one, other}, std::pair{other, one}}) {
    profile.graph.node_us[index_of(from)][index_of(to)] = submit.node_us;
    profile.graph.latency_us[index_of(from)][index_of(to)] = std::max(0.0, wall.node_us - busy);
  }
  if (one != Kind::kernel || other != Kind::kernel) return;
  profile.calls_us["cudaGraphLaunch"] = submit.constant_us;
  profile.graph.start_us = std::max(0.0, wall.constant_us - submit.constant_us);
}

/// Returns the host's time for a further chain of nodes beside others.
double branch_us(Bed& bed) {
  const auto submit_us = [&](const Issue& issue) {
    return launch_times(bed, Recording(issue)).submit;
  };
  const double beside = submit_us([&](cudaStream_t stream) {
    bed.all_lanes().fork(stream);
    for (std::uint32_t lane = 0; lane < Bed::lanes; ++lane) bed.enqueue(Kind::kernel, lane);
    bed.all_lanes().join(stream);
  });
  const double after = submit_us(alternating(bed, Kind::kernel, Kind::kernel, Bed::lanes));
  return std::max(0.0, beside - after) / (Bed::lanes - 1);
}

struct SetUp {
  double capture, instantiate, upload, destroy;
};

SetUp set_up(Bed& bed, int nodes) {
  std::vector<double> capture_us, instantiate_us, upload_us, destroy_us;
  for (int i = 0; i < 5; ++i) {
    Graph graph;
    evict_host_caches();
    capture_us.push_back(
        timed_us([&] { graph = capture(alternating(bed, Kind::copy_in, Kind::kernel, nodes)); }));
    cudaGraphExec_t executable = nullptr;
    instantiate_us.push_back(
        timed_us([&] { check(cudaGraphInstantiate(&executable, graph.get(), 0)); }));
    GraphExec owner(executable);
    upload_us.push_back(timed_us([&] {
      check(cudaGraphUpload(executable, bed.origin()));
      check(cudaStreamSynchronize(bed.origin()));
    }));
    destroy_us.push_back(timed_us([&] { owner.reset(); }));
  }
  return {median(capture_us), median(instantiate_us), median(upload_us), median(destroy_us)};
}

void measure_set_up(Bed& bed, Profile& profile) {
  const SetUp shorter = set_up(bed, few_nodes), longer = set_up(bed, many_nodes);
  const auto of = [&](double SetUp::*step) {
    return growth(few_nodes, shorter.*step, many_nodes, longer.*step);
  };
  const Growth capture = of(&SetUp::capture), instantiate = of(&SetUp::instantiate),
               upload = of(&SetUp::upload), destroy = of(&SetUp::destroy);
  auto& calls = profile.calls_us;
  calls["capture"] = capture.node_us;
  // The capture creates its own stream, and waits for the upload.
  calls["cudaStreamEndCapture"] = std::max(
      0.0, capture.constant_us - calls["cudaStreamCreateWithFlags"] - calls["cudaStreamDestroy"]);
  calls["cudaGraphInstantiate"] = instantiate.constant_us;
  calls["cudaGraphUpload"] = std::max(0.0, upload.constant_us - calls["cudaStreamSynchronize"]);
  calls["cudaGraphExecDestroy"] = std::max(0.0, set_up(bed, 1).destroy - destroy.node_us);
  profile.graph.instantiate_node_us = instantiate.node_us;
  profile.graph.upload_node_us = upload.node_us;
  profile.graph.destroy_node_us = destroy.node_us;
}

constexpr int node_readings = 7;
constexpr int few_in_chain = 16, many_in_chain = 64;  // nodes of the two chains

struct Chain {
  Graph graph;
  std::vector<cudaGraphNode_t> nodes;
  double adding_us;  ///< the host's time to add a node
};

Chain chain(const Bed& bed, Kind kind, int count) {
  Graph graph = make_graph();
  Operation operation = bed.operation(kind, 0, Bed::small);
  std::vector<cudaGraphNode_t> nodes;
  const double us = timed_us([&] {
    for (int i = 0; i < count; ++i) {
      nodes.push_back(operation.add_to(graph.get(), std::span(nodes).last(i > 0 ? 1 : 0)));
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

void measure_graphs(Bed& bed, Profile& profile) {
  for (std::size_t one = 0; one < stage_kinds; ++one) {
    for (std::size_t other = one; other < stage_kinds; ++other) {
      measure_pair(bed, profile, all_stages[one], all_stages[other]);
    }
  }
  profile.graph.branch_us = branch_us(bed);
  measure_set_up(bed, profile);
}

void measure_nodes(Bed& bed, Profile& profile) {
  measure_setters(bed, profile);
  measure_update(bed, profile);
  measure_launches(bed, profile);
}

}  // namespace trilane
