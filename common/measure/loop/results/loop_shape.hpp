// The closed loop: a lane restarts with new work after the host has examined its result.
#pragma once

#include <boost/describe/class.hpp>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "common/base/json/ranges.hpp"
#include "common/model/workload/workload.hpp"

namespace trilane {

/// The work of a loop.
struct Loop {
  std::string name;
  std::uint32_t lanes = 1;
  std::uint64_t in_bytes = 0, out_bytes = 0;  ///< of a lane's parameters and result
  double kernel_us = 0;                       ///< intended time of its kernel
  double analysis_us = 0;                     ///< the host's work on a result, besides the check
  std::uint32_t rounds = 1;                   ///< of the kernel, found on the device
  bool operator==(const Loop&) const = default;
};
BOOST_DESCRIBE_STRUCT(Loop, (), (name, lanes, in_bytes, out_bytes, kernel_us, analysis_us, rounds))

/// Returns the loops that have a name on the command line.
const std::vector<Loop>& loop_presets();

/// Returns one item of each lane, as a workload with a chunk for each lane.
Workload workload_of(const Loop& loop);

/// Returns "2 lanes, 16 KiB in, 4 KiB out".
std::string lanes_of(const Loop& loop);

/// Returns "kernel of 1 ms, analysis of 50 us"; without analysis "kernel of 1 ms".
std::string times_of(const Loop& loop);

}  // namespace trilane
