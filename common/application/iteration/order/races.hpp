// Finds operations that use the same bytes, one of them writing, without an order between them.
#pragma once

#include <vector>

#include "common/application/iteration/order/happens_before.hpp"
#include "common/application/iteration/records/application_recording.hpp"
#include "common/application/iteration/records/race_record.hpp"

namespace trilane {

/// Certain races first, then the more frequent. `cut`: there were more pairs without an order than
/// are looked at.
struct Races {
  std::vector<RecordedRace> found;
  bool cut = false;
};

/// Whether the next iteration is known to follow the recorded one at once, so that the two can
/// race.
bool repeats_at_once(const ApplicationRecording& recording);

/// True if all addresses and arguments of the call are the same in every repetition.
bool same_everywhere(const RecordedCall& call);

/// `order` covers two repetitions. Pairs of two iterations count only where both addresses are the
/// same in every repetition. A race is certain only where both know which bytes they read or write,
/// and no call could order work in a way that is not known here.
Races races_in(const ApplicationRecording& recording, const HappensBefore& order);

}  // namespace trilane
