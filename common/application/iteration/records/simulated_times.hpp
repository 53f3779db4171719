// Times of an iteration on the simulated device, as recorded and with changes.
#pragma once

#include <boost/describe/class.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "common/base/json/ranges.hpp"
#include "common/base/text/enumerators.hpp"

namespace trilane {

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

}  // namespace trilane
