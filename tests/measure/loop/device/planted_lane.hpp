// A lane with a notification that is too early, before its result has been copied out.
#pragma once

#include <vector>

#include "common/measure/gpu/runtime/handles.hpp"
#include "common/measure/gpu/stages/lane_scratch.hpp"
#include "common/measure/gpu/stages/stages.hpp"
#include "common/measure/loop/bench/items.hpp"
#include "common/measure/loop/bench/teller.hpp"

namespace trilane {

enum class ToldBy { event, word };
enum class Told { before_copy_out, after_copy_out };

/// The item's result as found by the host.
struct Found {
  Outcome when_told = Outcome::right, at_the_end = Outcome::right;
  std::vector<std::string> hazards;  ///< found by the simulated device
};

/// Runs an item on one lane and takes the result when notified. If the host is notified before the
/// copy out, that waits behind a gate. Throws std::runtime_error if no notification comes in 10 s.
Found take_when_told(ToldBy by, Told when);

}  // namespace trilane
