// The order of a pass on one stream per engine: the stages on other streams for which each stage
// waits.
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
  std::vector<bool> recorded;                              ///< true if another stage waits for it

  /// Return the numbers per chunk: events recorded, waits within the chunk, and waits for the
  /// preceding chunk.
  std::uint64_t records() const, waits_within() const, waits_across() const;
};

/// Returns order_of() without the order that each stream implies.
EngineOrder engine_order_of(const Workload& workload);

}  // namespace trilane
