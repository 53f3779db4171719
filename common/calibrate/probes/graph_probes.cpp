#include <algorithm>
#include <vector>

#include "common/calibrate/probes/probes.hpp"
#include "common/gpu/graphs/recording.hpp"

namespace trilane {

namespace {

constexpr std::uint64_t small = 4 << 10;  // bytes of every operation, as for streams
constexpr int readings = 15;
constexpr int few = 16, many = 64;  // pairs of nodes in the two chains

/// A chain of two alternating kinds.
Recording chain(Bed& bed, Kind one, Kind other, int pairs) {
  return Recording([&](cudaStream_t stream) {
    for (int i = 0; i < pairs; ++i) {
      bed.enqueue(one, 0, small, stream);
      bed.enqueue(other, 0, small, stream);
    }
  });
}

struct LaunchTimes {
  double submit, wall;
};

LaunchTimes launch_times(Bed& bed, const Recording& recording) {
  for (int i = 0; i < 2; ++i) recording.launch(bed.origin());  // the first ones take longer
  const double submit = bed.host_us(readings, [&] { recording.launch(bed.origin()); });
  const double wall = bed.host_us(readings, [&] {
    recording.launch(bed.origin());
    check(cudaStreamSynchronize(bed.origin()));
  });
  return {submit, wall};
}

double duration(const Profile& profile, Kind kind) {
  if (kind == Kind::kernel)
    return profile.kernel_time({.words = small / 4, .outputs = small / 4}).us;
  return at_size(profile.engine.duration[index_of(kind)], small);
}

/// A node's host time and latency, from the difference between two chains of different length. The
/// latency from `one` to `other` is taken to be the same as back.
void measure_pair(Bed& bed, Profile& profile, Kind one, Kind other) {
  const LaunchTimes shorter = launch_times(bed, chain(bed, one, other, few));
  const LaunchTimes longer = launch_times(bed, chain(bed, one, other, many));
  constexpr double nodes = 2 * (many - few);
  const double step = (longer.wall - shorter.wall) / nodes;
  const double busy = (duration(profile, one) + duration(profile, other)) / 2;
  const double node = std::max(0.0, (longer.submit - shorter.submit) / nodes);
  const double latency = std::max(0.0, step - busy);
  for (const auto& [from, to] : {std::pair{one, other}, std::pair{other, one}}) {
    profile.graph.node_us[index_of(from)][index_of(to)] = node;
    profile.graph.latency_us[index_of(from)][index_of(to)] = latency;
  }
  if (one != Kind::kernel || other != Kind::kernel) return;
  profile.calls_us["cudaGraphLaunch"] = std::max(0.0, shorter.submit - 2 * few * node);
  profile.graph.start_us =
      std::max(0.0, shorter.wall - 2 * few * step - profile.calls_us["cudaGraphLaunch"]);
}

/// Host times of the steps of a set-up, in microseconds.
struct SetUp {
  double capture, instantiate, upload, destroy;
};

SetUp set_up(Bed& bed, int pairs) {
  std::vector<double> capture_us, instantiate_us, upload_us, destroy_us;
  for (int i = 0; i < 5; ++i) {
    Graph graph;
    capture_us.push_back(timed_us([&] {
      graph = capture([&](cudaStream_t stream) {
        for (int pair = 0; pair < pairs; ++pair) {
          bed.enqueue(Kind::copy_in, 0, small, stream);
          bed.enqueue(Kind::kernel, 0, small, stream);
        }
      });
    }));
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

/// What capture, instantiation, upload and destruction take: a constant, and a time per node.
void measure_set_up(Bed& bed, Profile& profile) {
  const SetUp shorter = set_up(bed, few), longer = set_up(bed, many);
  constexpr double nodes = 2 * (many - few), fewest = 2 * few;
  const auto per_node = [&](double SetUp::*step) {
    return std::max(0.0, (longer.*step - shorter.*step) / nodes);
  };
  const auto constant = [&](double SetUp::*step) {
    return std::max(0.0, shorter.*step - fewest * per_node(step));
  };
  auto& calls = profile.calls_us;
  calls["capture"] = per_node(&SetUp::capture);
  // The capture makes its own stream, and the upload is waited for.
  calls["cudaStreamEndCapture"] =
      std::max(0.0, constant(&SetUp::capture) - calls["cudaStreamCreateWithFlags"] -
                        calls["cudaStreamDestroy"]);
  calls["cudaGraphInstantiate"] = constant(&SetUp::instantiate);
  calls["cudaGraphUpload"] =
      std::max(0.0, constant(&SetUp::upload) - calls["cudaStreamSynchronize"]);
  calls["cudaGraphExecDestroy"] = constant(&SetUp::destroy);
  profile.graph.instantiate_node_us = per_node(&SetUp::instantiate);
  profile.graph.upload_node_us = per_node(&SetUp::upload);
  profile.graph.destroy_node_us = per_node(&SetUp::destroy);
}

}  // namespace

void measure_graphs(Bed& bed, Profile& profile) {
  for (std::size_t one = 0; one < stage_kinds; ++one) {
    for (std::size_t other = one; other < stage_kinds; ++other) {
      measure_pair(bed, profile, all_stages[one], all_stages[other]);
    }
  }
  measure_set_up(bed, profile);
}

}  // namespace trilane
