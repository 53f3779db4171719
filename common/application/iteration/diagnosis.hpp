// The diagnosis of a recording: where an iteration's time goes, and why.
#pragma once

#include <boost/describe/class.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/application/iteration/application_recording.hpp"
#include "common/application/iteration/finding.hpp"
#include "common/application/iteration/time_use.hpp"
#include "common/base/json/ranges.hpp"

namespace trilane {

/// An iteration's time in three forms: traced, measured without tracing, and reconstructed. The
/// last combines untraced times of the host, in its calls and between them, with traced lengths of
/// operations, which tracing changes little.
struct Reconstruction {
  bool used = false;                ///< the diagnosis has these times; otherwise the traced ones
  std::optional<double> period_us;  ///< reconstructed; absent if something needed for it is unknown
  double watched_us = 0;            ///< measured; the median
  double traced_us = 0;
  /// The gaps between engines were chosen so that period_us comes close to watched_us.
  bool fitted = false;
};
BOOST_DESCRIBE_STRUCT(Reconstruction, (), (used, period_us, watched_us, traced_us, fitted))

/// The device's time in an iteration. `causes` say why it was idle, costliest first.
struct DeviceUse {
  double busy_us = 0;  ///< at least one operation was running
  double idle_us = 0;
  std::vector<TimeShare> causes;
};
BOOST_DESCRIBE_STRUCT(DeviceUse, (), (busy_us, idle_us, causes))

/// The most that a graph could gain: the cost of the calls that it replaces. A bound derived from
/// the recording alone, not a prediction.
struct GraphBound {
  std::uint64_t calls = 0;        ///< calls that one launch would replace
  double host_us = 0;             ///< their duration
  std::optional<double> idle_us;  ///< the device's, while it waited for such calls
};
BOOST_DESCRIBE_STRUCT(GraphBound, (), (calls, host_us, idle_us))

/// The graphs that an iteration launches, and their content.
struct GraphsLaunched {
  std::uint64_t graphs = 0;  ///< distinct ones
  std::uint64_t kernels = 0, copies = 0, memsets = 0, others = 0;
};
BOOST_DESCRIBE_STRUCT(GraphsLaunched, (), (graphs, kernels, copies, memsets, others))

/// Values that differ between repetitions, by the kernel or function that takes them.
struct Varying {
  std::string name;
  std::uint64_t calls = 0;
  std::uint64_t constant = 0, alternating = 0, changing = 0;  ///< values in all these calls
  bool operator==(const Varying&) const = default;
};
BOOST_DESCRIBE_STRUCT(Varying, (), (name, calls, constant, alternating, changing))
constexpr auto ranges(const Varying*) { return std::tuple{Within<&Varying::name>{text_range}}; }

/// The change to the recorded calls.
enum class SimulatedWay : std::uint8_t {
  same_calls,
  graph,      ///< each segment between host waits is one launch of a graph
  graph_set,  ///< the same, with varying values set in the graph before each launch
  engines,    ///< one stream for each engine, in the order that the data needs
  pinned,     ///< pinned instead of pageable host memory
  pool,       ///< stream-ordered allocations instead of cudaMalloc and cudaFree
};
BOOST_DESCRIBE_ENUM(SimulatedWay, same_calls, graph, graph_set, engines, pinned, pool)
constexpr const char* name_of(SimulatedWay way) {
  return way == SimulatedWay::graph_set ? "graph, set" : words_of_name(way);
}

/// Has times if `why_not` is empty.
struct SimulatedTime {
  SimulatedWay way = SimulatedWay::same_calls;
  std::string why_not;
  std::optional<double> us{};     ///< of an iteration
  std::optional<double> ratio{};  ///< to the same calls, simulated too
  bool told_apart = false;        ///< the ratio is further from 1 than the model's error
};
BOOST_DESCRIBE_STRUCT(SimulatedTime, (), (way, why_not, us, ratio, told_apart))
constexpr auto ranges(const SimulatedTime*) {
  return std::tuple{Within<&SimulatedTime::why_not>{text_range},
                    Within<&SimulatedTime::ratio>{factor_range}};
}

/// Predictions; only `measured_us` was measured.
struct SimulatedTimes {
  std::string profile;                ///< "NVIDIA H200 (profile of 2026-11-21)"
  std::string refusal;                ///< why nothing is predicted; then there are no times
  std::optional<double> measured_us;  ///< median of the recorded iterations
  std::string measured_on;            ///< the GPU; empty: the recording does not name it
  bool same_gpu = false;              ///< the profile is of the recorded GPU
  /// The factor by which ratios may be off; absent if the profile does not know its error.
  std::optional<double> error_factor{};
  std::vector<SimulatedTime> times{};  ///< the same calls first
  std::vector<std::string> notes{};    ///< what the times omit or assume
};
BOOST_DESCRIBE_STRUCT(SimulatedTimes, (),
                      (profile, refusal, measured_us, measured_on, same_gpu, error_factor, times,
                       notes))
constexpr auto ranges(const SimulatedTimes*) {
  return std::tuple{Within<&SimulatedTimes::refusal, &SimulatedTimes::notes>{text_range},
                    Within<&SimulatedTimes::error_factor>{{1, factor_range.most}}};
}

/// Times are those of one iteration or, if none was found, of the recorded segment.
struct Diagnosis {
  std::string application;
  RecordedMachine machine;
  bool simulated = false;
  Found found = Found::none;
  std::string range, why_none;  ///< as in ApplicationRecording
  std::uint64_t calls = 0, iterations = 0;
  double period_us = 0;              ///< the median, or as reconstructed
  std::optional<double> watched_us;  ///< median while only the last call was watched
  /// The origin of the times; absent if tracing changed none, or nothing tells how much.
  std::optional<Reconstruction> reconstruction;
  std::optional<DeviceUse> device;  ///< absent without device times
  std::vector<TimeShare> host;      ///< what the host does, costliest first
  std::vector<PathPart> path;       ///< the parts of the iteration's time, costliest first
  std::vector<RecordedRace> races;  ///< certain ones first
  bool races_cut = false;           ///< there were too many pairs to examine
  std::vector<CallFinding> findings;
  GraphBound graph;
  std::vector<CaptureObstacle> capture;  ///< what a capture of the iteration would break on
  std::optional<GraphsLaunched> graphs;  ///< absent if none is launched
  std::vector<Varying> varying;          ///< without constant values
  std::uint64_t constant = 0;            ///< arguments and pointers that do not vary, in all
  std::vector<Refusal> refusals;
  std::vector<std::string> notes;                 ///< what limits these statements
  std::optional<SimulatedTimes> simulated_times;  ///< if a simulated device was asked
};
BOOST_DESCRIBE_STRUCT(Diagnosis, (),
                      (application, machine, simulated, found, range, why_none, calls, iterations,
                       period_us, watched_us, reconstruction, device, host, path, races, races_cut,
                       findings, graph, capture, graphs, varying, constant, refusals, notes,
                       simulated_times))
constexpr auto ranges(const Diagnosis*) {
  return std::tuple{
      Within<&Diagnosis::application, &Diagnosis::why_none, &Diagnosis::notes>{text_range}};
}

}  // namespace trilane
