// Phrases a race.
#pragma once

#include <string>

#include "common/application/iteration/records/race_record.hpp"

namespace trilane {

/// Returns, for example, "copy #12 on stream 2 writes bytes 0..4095 of memory 3 (device) while ..."
std::string sentence_on(const RecordedRace& race);

}  // namespace trilane
