// The order of a pass on one stream per engine: what each stage waits for on another stream.
#pragma once

#include <cstdint>
#include <vector>

#include "common/model/workload/steps/stage_order.hpp"

namespace trilane {

/// The streams: copies in, the SMs (memsets and kernels), copies out.
inline constexpr std::uint32_t engines = 3;
std::uint32_t engine_of(Stage stage);

/// By a stage's place in its chunk.
struct EngineOrder {
  std::vector<std::vector<std::uint32_t>> within, across;  ///< as in StageOrder: waits
  std::vector<bool> recorded;                              ///< whether another stage waits for it

  /// Events of one chunk, and waits of one chunk for itself and for the chunk before it.
  std::uint64_t records() const, waits_within() const, waits_across() const;
};

/// order_of() without what the order on each stream gives anyway.
EngineOrder engine_order_of(const Workload& workload);

}  // namespace trilane
