// One call that an application made to the driver. Times are microseconds.
#pragma once

#include <boost/describe/class.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "common/application/iteration/records/call_kinds.hpp"
#include "common/application/iteration/records/launch_attributes.hpp"
#include "common/application/iteration/records/recorded_parts.hpp"
#include "common/base/json/ranges.hpp"

namespace trilane {

/// One call of the iteration. Members that its kind does not have keep their first value.
struct RecordedCall {
  CallKind kind = CallKind::other;
  std::string name;  ///< of the driver's function, for people
  std::string
      runtime;  ///< of the runtime's function around it; empty: the program called the driver
  /// From the iteration's start; the median over the repetitions whose device times were taken, or
  /// over all if there are none. Likewise what follows.
  double start_us = 0;
  double host_us = 0;                                ///< that the call took
  std::optional<double> device_start_us, device_us;  ///< of an operation, where it was traced
  /// The same without taking device times, which makes calls longer, and less what recording adds:
  /// the application's own time before the call, and what the call took.
  std::optional<double> own_us, call_us;
  /// What passed before the call in functions of the CUDA runtime, also in those that make no call
  /// that is recorded. Absent where it was not measured: then it is in `own_us`.
  std::optional<double> runtime_us;
  std::uint32_t stream = 0;  ///< index in ApplicationRecording::streams
  std::uint32_t event = 0;   ///< number of an event, from 0
  std::uint64_t bytes = 0;   ///< copied, set or allocated
  bool synchronous = false;  ///< a copy or memset by a function that is not one of the Async ones
  std::uint32_t value = 0;   ///< of a memset
  std::uint32_t kernel = 0;  ///< index in ApplicationRecording::kernels
  std::vector<std::uint32_t> grid, block;      ///< three numbers each
  std::uint64_t shared_bytes = 0;              ///< dynamic
  std::optional<LaunchAttributes> attributes;  ///< of a kernel; absent: it has none
  std::optional<std::uint32_t>
      graph;  ///< of a launch: index in ApplicationRecording::graphs; absent: it is not known
  /// Of a launch: the executable graph, from 0, whose launches CUDA orders one behind the other.
  std::optional<std::uint32_t> executable;
  /// Copies and memsets state exact ranges; one of two dimensions the range from its first to its
  /// last byte. Kernels may use from where an argument points to the end of that memory, and
  /// allocations and frees all of the memory that they make or free. A batch of copies has what its
  /// first copy reads and writes, then what the second does, and so on.
  std::vector<UsedRange> uses;
  std::vector<Variation> arguments;          ///< of a kernel, by parameter
  Variation pointers = Variation::constant;  ///< of a copy, memset or allocation: its addresses; of
                                             ///< a graph: those of its nodes, and their arguments
  std::string refusal;  ///< why no replay can repeat the call, in words; empty: it can
  bool operator==(const RecordedCall&) const = default;
};
BOOST_DESCRIBE_STRUCT(RecordedCall, (),
                      (kind, name, runtime, start_us, host_us, device_start_us, device_us, own_us,
                       call_us, runtime_us, stream, event, bytes, synchronous, value, kernel, grid,
                       block, shared_bytes, attributes, graph, executable, uses, arguments,
                       pointers, refusal))
constexpr auto ranges(const RecordedCall*) {
  return std::tuple{Within<&RecordedCall::refusal>{text_range},
                    Within<&RecordedCall::device_start_us>{either_way_us}};
}

/// How many copies the call makes: of a batch several.
inline std::size_t copies_in(const RecordedCall& call) {
  return call.kind == CallKind::copy ? call.uses.size() / 2 : 0;
}

/// Throws a Misfit unless kernels, and nothing else, have a grid and a block of three numbers, and
/// where there is runtime_us without own_us.
void cross_check(const RecordedCall& call);

}  // namespace trilane
