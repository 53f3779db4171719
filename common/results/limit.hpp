// What the hardware allows, measured in the same run on the same buffers. Times are microseconds.
#pragma once

#include <boost/describe/class.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/results/limiter.hpp"

namespace trilane {

/// Host time of one call of a runtime function.
struct CallCost {
  std::string name;
  double us = 0;
};
BOOST_DESCRIBE_STRUCT(CallCost, (), (name, us))
constexpr auto entry_key(const CallCost&) { return &CallCost::name; }

/// A copy takes start_us + bytes / 2^20 * us_per_mib.
struct CopyCost {
  double start_us = 0, us_per_mib = 0;
};
BOOST_DESCRIBE_STRUCT(CopyCost, (), (start_us, us_per_mib))

/// The number of chunks with the lowest bound, by the formula.
struct BestCut {
  std::uint32_t chunks = 0;
  double bound_us = 0;
};
BOOST_DESCRIBE_STRUCT(BestCut, (), (chunks, bound_us))

/// The formulas are in analysis/limits/pipelined.hpp. Older files lack optional members.
struct Limit {
  double in_gbps = 0, out_gbps = 0;                ///< each direction alone, 1e9 bytes/s
  double duplex_in_gbps = 0, duplex_out_gbps = 0;  ///< both at once
  /// One chunk, stage after stage on one stream; `kernels_us` is all of its kernels.
  double copy_in_us = 0, clear_us = 0, kernels_us = 0, copy_out_us = 0;
  /// One more chunk while all lanes are busy: copies both ways at once, memset and kernels alone.
  double steady_in_us = 0, steady_work_us = 0, steady_out_us = 0;
  double bound_us = 0;                          ///< chunk by chunk, with everything overlapping
  double serial_us = 0;                         ///< no two stages overlap
  std::optional<Limiter> bound_by{};            ///< what sets bound_us
  std::optional<double> one_engine_us{};        ///< bound_us with one copy engine for both ways
  std::optional<std::uint32_t> copy_engines{};  ///< of the device
  /// The runtime functions in plans that could be timed alone.
  std::optional<std::vector<CallCost>> calls_us{};
  /// From two chunk sizes; absent if the pass cannot be cut another way.
  std::optional<CopyCost> copies_in{}, copies_out{};
  std::optional<BestCut> best{};
};
BOOST_DESCRIBE_STRUCT(Limit, (),
                      (in_gbps, out_gbps, duplex_in_gbps, duplex_out_gbps, copy_in_us, clear_us,
                       kernels_us, copy_out_us, steady_in_us, steady_work_us, steady_out_us,
                       bound_us, serial_us, bound_by, one_engine_us, copy_engines, calls_us,
                       copies_in, copies_out, best))

}  // namespace trilane
