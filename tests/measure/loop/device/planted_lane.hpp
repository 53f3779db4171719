// A lane that is told too early, before its result has been copied out.
#pragma once

#include <vector>

#include "common/measure/gpu/runtime/handles.hpp"
#include "common/measure/gpu/stages/lane_scratch.hpp"
#include "common/measure/gpu/stages/stages.hpp"
#include "common/measure/loop/bench/items.hpp"
#include "common/measure/loop/bench/lane_flags.hpp"

namespace trilane {

enum class ToldBy { event, word };
enum class Told { before_copy_out, after_copy_out };

/// What the host finds in an item's result.
struct Found {
  Outcome when_told = Outcome::right, at_the_end = Outcome::right;
  std::vector<std::string> hazards;  ///< that the simulated device finds
};

/// Runs an item on one lane whose copy out waits behind a gate if the host is told before it, and
/// takes the result when told. Throws std::runtime_error where nothing tells the host in 10 s.
Found take_when_told(ToldBy by, Told when);

}  // namespace trilane
