// Named ranges on the host's timeline, for profilers.
#pragma once

#include <nvtx3/nvtx3.hpp>

namespace trilane {

struct NvtxDomain {
  static constexpr char const* name = "trilane";
};

/// A range from construction to destruction: `const NvtxRange range{"streams"};`. Ranges of one
/// thread nest. Costs a few nanoseconds when no profiler listens.
using NvtxRange = nvtx3::scoped_range_in<NvtxDomain>;

}  // namespace trilane
