// What the run's own buffers and kernels allow, measured beside the variants. Times are
// microseconds.
#pragma once

#include <boost/describe/class.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/results/limiter.hpp"

namespace trilane {

/// What one call of a runtime function takes the host.
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

/// Into how many chunks the pass would be cut for the lowest bound, by the formula.
struct BestCut {
  std::uint32_t chunks = 0;
  double bound_us = 0;
};
BOOST_DESCRIBE_STRUCT(BestCut, (), (chunks, bound_us))

/// limit.hpp of the harness has the formulas. What is optional is absent in older files.
struct Limit {
  double in_gbps = 0, out_gbps = 0;                ///< each direction alone, 1e9 bytes/s
  double duplex_in_gbps = 0, duplex_out_gbps = 0;  ///< both at once
  /// One chunk, stage after stage on one stream; kernels: all of its depth.
  double copy_in_us = 0, clear_us = 0, kernels_us = 0, copy_out_us = 0;
  /// One more chunk when every lane is busy: copies both ways at once, clear and kernels alone.
  double steady_in_us = 0, steady_work_us = 0, steady_out_us = 0;
  double bound_us = 0;                          ///< chunk by chunk, with everything overlapping
  double serial_us = 0;                         ///< all stages one after the other
  std::optional<Limiter> bound_by{};            ///< what sets bound_us
  std::optional<double> one_engine_us{};        ///< chunk by chunk, where copies share one engine
  std::optional<std::uint32_t> copy_engines{};  ///< that the device has
  /// Of the runtime's functions that plans name, as far as they could be timed by themselves.
  std::optional<std::vector<CallCost>> calls_us{};
  /// From two sizes of chunks; absent where the pass cannot be cut in another way.
  std::optional<CopyCost> copies_in{}, copies_out{};
  std::optional<BestCut> best{};
};
BOOST_DESCRIBE_STRUCT(Limit, (),
                      (in_gbps, out_gbps, duplex_in_gbps, duplex_out_gbps, copy_in_us, clear_us,
                       kernels_us, copy_out_us, steady_in_us, steady_work_us, steady_out_us,
                       bound_us, serial_us, bound_by, one_engine_us, copy_engines, calls_us,
                       copies_in, copies_out, best))

}  // namespace trilane
