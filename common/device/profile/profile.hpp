// A device profile: the times of a GPU and its host for everything that the simulated device
// models, stored in a JSON file. measure/calibrate/ measures it, simulator/ uses it.
#pragma once

#include <boost/json/fwd.hpp>

#include "common/base/json/members.hpp"
#include "common/device/profile/kinds.hpp"
#include "common/device/profile/model_error.hpp"

namespace trilane {

/// The longest time in a profile, and the longest time of a single operation however far the
/// figures are extrapolated, in microseconds. Even the longest pass thus stays far below 10^15 us,
/// from which on the simulated clock would lose nanoseconds, and the clock always advances.
inline constexpr double longest_pass_us = 10e6, longest_operation_us = 1e10;
inline constexpr Range profile_time{0, longest_pass_us}, profile_rate{1e-3, 1e6};

/// A time for each pair of stages: [previous kind][kind], indexed by Kind.
using PairTable = std::array<std::array<double, stage_kinds>, stage_kinds>;
/// A figure for each stage.
using StageTable = std::array<double, stage_kinds>;

template <typename Entry>
struct EntryNames<std::array<Entry, stage_kinds>> {
  static constexpr auto& names = stage_names;
};

/// A time for a size.
struct SizeCost {
  std::uint64_t bytes = 0;
  double us = 0;
};
BOOST_DESCRIBE_STRUCT(SizeCost, (), (bytes, us))
TRILANE_RANGES(SizeCost, Within<&R::us>{profile_time})
inline std::string name_in_list(const SizeCost& cost) { return std::to_string(cost.bytes); }

/// Returns the time at `bytes`, by linear interpolation between `costs`, whose sizes rise. Constant
/// below the first size; the last line continues, unless it falls. 0 without costs.
double at_size(const std::vector<SizeCost>& costs, std::uint64_t bytes);

/// Times by size for each stage.
using StageSizes = std::array<std::vector<SizeCost>, stage_kinds>;

/// A measured kernel shape. Alone on the device it takes us + round_us * (rounds - 1). Beside other
/// kernels it takes `share` of the SMs' throughput, at most 1.
struct KernelCost {
  bool reduces = false;
  std::uint64_t words = 0, outputs = 0, blocks = 0;
  double us = 0;
  double round_us = 0;
  double share = 0;
};
BOOST_DESCRIBE_STRUCT(KernelCost, (), (reduces, words, outputs, blocks, us, round_us, share))
TRILANE_RANGES(KernelCost, Within<&R::us, &R::round_us>{profile_time}, Within<&R::share>{{0, 1}})
inline std::string name_in_list(const KernelCost& cost) {
  return fmt::format("{} to {}", cost.words, cost.outputs);
}

/// Times are in microseconds, rates in 1e9 bytes per second.
struct Profile {
  std::string name;        ///< of the GPU: "NVIDIA H200"
  std::string calibrated;  ///< the time, in UTC, ISO 8601
  std::string revision;    ///< of the measuring Trilane
  int compute_major = 0, compute_minor = 0, multiprocessors = 0;
  int driver_version = 0;  ///< 13000 is 13.0
  std::uint64_t memory_bytes = 0;
  std::optional<ModelError> error{};  ///< absent if predictions were not compared with a GPU

  /// Host time of a call, or its constant part, by the runtime function's name. A missing call
  /// costs nothing, unless the simulator states a replacement.
  std::map<std::string, double> calls_us;

  struct Stream {
    StageSizes enqueue{};    ///< host time to enqueue one
    PairTable latency_us{};  ///< from the end of `before` to the start of `kind`
    StageTable start_us{};   ///< from call to start on an idle device, plus the host's wake-up
    double across_us = 0;    ///< extra latency when an event orders one stream after another
    /// By what part of its time a call takes longer for each other thread that calls at the same
    /// time. 1: calls exclude each other. Measured of calls that enqueue, assumed of all. Absent in
    /// older profiles: 1.
    std::optional<double> thread_share{};
    /// The interval at which an operation polls for the completion of its predecessor on another
    /// engine; latency_us is that of an engine that several streams ask. Absent in older profiles:
    /// latency_us always.
    std::optional<double> look_us{};

    /// Returns up to how many bytes the host itself writes a copy in into the queue: its time grows
    /// up to there and falls then. 0 if it never does.
    std::uint64_t carried_bytes() const;
    /// Returns from how many bytes on a memset is a kernel: where the host's time is nearer to that
    /// of a kernel than to that of the smallest memset.
    std::uint64_t kernel_memset_bytes() const;
  } stream;

  struct Graph {
    PairTable node_us{};     ///< host time of a node in cudaGraphLaunch
    PairTable latency_us{};  ///< along an edge, as for streams
    double start_us = 0;     ///< as for streams, from the node's host time
    /// Host time of a further chain beside others: of leaving the launch's and of joining it again.
    /// Absent in older profiles: none.
    std::optional<double> branch_us{};
    double instantiate_node_us = 0, upload_node_us = 0, destroy_node_us = 0;
  } graph;

  struct Engine {
    StageSizes duration{};             ///< of a copy or memset on its engine; kernels: see below
    double kernel_spacing_us = 0;      ///< minimum time between starts of kernels from streams
    double in_gbps = 0, out_gbps = 0;  ///< large copies, one direction at a time
    double duplex_in_gbps = 0, duplex_out_gbps = 0;  ///< both directions at once
    double pageable_in_gbps = 0, pageable_out_gbps = 0;
    /// Of kernels on mapped host memory: reading, writing, and each of both at once. Absent in
    /// older profiles: those of copies.
    std::optional<double> mapped_in_gbps{}, mapped_out_gbps{}, mapped_both_gbps{};
    /// The time by which a kernel reads later from mapped host memory than from the device's, and
    /// that of a further row of a copy. Absent in older profiles: 1.5 and 0.02, of an H200.
    std::optional<double> mapped_read_us{}, row_us{};
    /// From the end of a copy to the start of the next one on its engine, if that one had to wait
    /// for another engine. Absent in older profiles: none.
    std::optional<double> turn_us{};
    double within_gbps = 0;  ///< from device to device, on one GPU
    /// From one GPU to another with peer access. Absent if unknown: as fast as through the host.
    /// calibrate measures neither this nor host_links.
    std::optional<double> peer_gbps{};
    /// Number of GPUs whose copies one way the host sustains at full rate. Absent: any number.
    std::optional<double> host_links{};
  } engine;

  std::vector<KernelCost> kernels;

  struct Memory {
    /// Of cudaMalloc and so on; below 2 MiB on the device beside another such block.
    std::vector<SizeCost> malloc, free, malloc_host, free_host;
    /// Host time of cudaMallocFromPoolAsync and cudaFreeAsync together: on several lanes with all
    /// reuse flags on, the default; without opportunistic reuse; on one lane.
    double shared_us = 0, shared_no_opportunistic_us = 0, one_lane_us = 0;
    double first_us = 0;  ///< of the first allocation, which the pool gets from the driver
    double trim_us = 0;   ///< of a wait that returns memory, with a threshold of 0
  } memory;

  /// Returns the time of a kernel. Each figure of KernelCost is interpolated and extrapolated
  /// linearly in the logarithms of words, outputs and itself, and is constant below the smallest
  /// shape. If no kernel of its kind was measured, the time is 0 and the share 1.
  KernelTime kernel_time(const KernelSize& size) const;
};
BOOST_DESCRIBE_STRUCT(Profile::Stream, (),
                      (enqueue, latency_us, start_us, across_us, thread_share, look_us))
BOOST_DESCRIBE_STRUCT(Profile::Graph, (),
                      (node_us, latency_us, start_us, branch_us, instantiate_node_us,
                       upload_node_us, destroy_node_us))
BOOST_DESCRIBE_STRUCT(Profile::Engine, (),
                      (duration, kernel_spacing_us, in_gbps, out_gbps, duplex_in_gbps,
                       duplex_out_gbps, pageable_in_gbps, pageable_out_gbps, mapped_in_gbps,
                       mapped_out_gbps, mapped_both_gbps, mapped_read_us, row_us, turn_us,
                       within_gbps, peer_gbps, host_links))
BOOST_DESCRIBE_STRUCT(Profile::Memory, (),
                      (malloc, free, malloc_host, free_host, shared_us, shared_no_opportunistic_us,
                       one_lane_us, first_us, trim_us))
BOOST_DESCRIBE_STRUCT(Profile, (),
                      (name, calibrated, revision, compute_major, compute_minor, multiprocessors,
                       driver_version, memory_bytes, error, calls_us, stream, graph, engine,
                       kernels, memory))
TRILANE_RANGES(Profile::Stream, Within<&R::latency_us, &R::start_us, &R::across_us>{profile_time},
               Within<&R::thread_share>{{0, 1}}, Within<&R::look_us>{{0.1, longest_pass_us}})
TRILANE_RANGES(Profile::Graph,
               Within<&R::node_us, &R::latency_us, &R::start_us, &R::branch_us,
                      &R::instantiate_node_us, &R::upload_node_us, &R::destroy_node_us>{
                   profile_time})
TRILANE_RANGES(
    Profile::Engine,
    Within<&R::kernel_spacing_us, &R::mapped_read_us, &R::row_us, &R::turn_us>{profile_time},
    Within<&R::in_gbps, &R::out_gbps, &R::duplex_in_gbps, &R::duplex_out_gbps, &R::pageable_in_gbps,
           &R::pageable_out_gbps, &R::mapped_in_gbps, &R::mapped_out_gbps, &R::mapped_both_gbps,
           &R::within_gbps, &R::peer_gbps>{profile_rate},
    Within<&R::host_links>{{1, 1e6}})
TRILANE_RANGES(Profile::Memory, Within<&R::shared_us, &R::shared_no_opportunistic_us,
                                       &R::one_lane_us, &R::first_us, &R::trim_us>{profile_time})
TRILANE_RANGES(Profile, Within<&R::multiprocessors>{{1, 100'000}},
               Within<&R::calls_us>{profile_time})

inline constexpr const char* profile_schema_name = "trilane-profile";

/// Returns the profile as JSON text, of that schema, version 1.
std::string to_json(const Profile& profile);

/// Reads the output of to_json(). Throws UsageError with `source`, the place and the error there,
/// and `remedy`.
Profile read_profile(const std::string& text, const std::string& source,
                     const char* remedy = "give a device profile from trilane calibrate");

/// Reads the profile in a file that `option` names. Throws UsageError if it cannot be read.
Profile load_profile(const std::string& path, const std::string& option = "--profile");

/// Returns the JSON Schema of the file.
boost::json::object profile_json_schema();

}  // namespace trilane
