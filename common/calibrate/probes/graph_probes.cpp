#include <algorithm>

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

/// What capture, instantiation, upload and destruction take: a constant, and a time per node.
void measure_set_up(Bed& bed, Profile& profile) {
  struct Times {
    double capture, instantiate, upload, destroy;
  };
  const auto set_up = [&](int pairs) {
    std::array<std::vector<double>, 4> times;
    for (int i = 0; i < 5; ++i) {
      const double start = now_us();
      Graph graph = capture([&](cudaStream_t stream) {
        for (int pair = 0; pair < pairs; ++pair) {
          bed.enqueue(Kind::copy_in, 0, small, stream);
          bed.enqueue(Kind::kernel, 0, small, stream);
        }
      });
      const double captured = now_us();
      cudaGraphExec_t executable = nullptr;
      check(cudaGraphInstantiate(&executable, graph.get(), 0));
      GraphExec owner(executable);
      const double instantiated = now_us();
      check(cudaGraphUpload(executable, bed.origin()));
      check(cudaStreamSynchronize(bed.origin()));
      const double uploaded = now_us();
      owner.reset();
      const double destroyed = now_us();
      times[0].push_back(captured - start);
      times[1].push_back(instantiated - captured);
      times[2].push_back(uploaded - instantiated);
      times[3].push_back(destroyed - uploaded);
    }
    return Times{median(times[0]), median(times[1]), median(times[2]), median(times[3])};
  };
  const Times shorter = set_up(few), longer = set_up(many);
  constexpr double nodes = 2 * (many - few), fewest = 2 * few;
  const auto per_node = [&](double Times::*part) {
    return std::max(0.0, (longer.*part - shorter.*part) / nodes);
  };
  const auto constant = [&](double Times::*part) {
    return std::max(0.0, shorter.*part - fewest * per_node(part));
  };
  profile.calls_us["capture"] = per_node(&Times::capture);
  // The capture makes its own stream, and the upload is waited for.
  profile.calls_us["cudaStreamEndCapture"] =
      std::max(0.0, constant(&Times::capture) - profile.calls_us["cudaStreamCreateWithFlags"] -
                        profile.calls_us["cudaStreamDestroy"]);
  profile.calls_us["cudaGraphInstantiate"] = constant(&Times::instantiate);
  profile.calls_us["cudaGraphUpload"] =
      std::max(0.0, constant(&Times::upload) - profile.calls_us["cudaStreamSynchronize"]);
  profile.calls_us["cudaGraphExecDestroy"] = constant(&Times::destroy);
  profile.graph.instantiate_node_us = per_node(&Times::instantiate);
  profile.graph.upload_node_us = per_node(&Times::upload);
  profile.graph.destroy_node_us = per_node(&Times::destroy);
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
