// Finds operations that use the same bytes, at least one writing, without an order between them.
#pragma once

#include "common/application/iteration/diagnosis.hpp"
#include "common/application/iteration/happens_before.hpp"

namespace trilane {

/// Certain races first, then the more frequent. `cut`: not all unordered pairs were examined.
struct Races {
  std::vector<RecordedRace> found;
  bool cut = false;
};

/// Returns the races. `order` covers two repetitions.
/// - Pairs of two iterations count only if both addresses are the same in every repetition.
/// - A race is certain only if both know their bytes, and no call orders work in an unknown way.
Races races_in(const ApplicationRecording& recording, const HappensBefore& order);

}  // namespace trilane
