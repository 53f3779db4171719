// What a loop's contenders and verdict are called for people.
#pragma once

#include <span>
#include <string>

#include "common/measure/loop/results/loop_verdict.hpp"

namespace trilane {

/// "event_polled + graph".
std::string contender_name(const LoopMeasurement& m);

/// "0.87 [0.85, 0.88]", "same", or "unclear" after too few rounds: a contender's items per second
/// over those of the fastest.
std::string share_cell(const LoopMeasurement& m, const LoopMeasurement& fastest);

/// Says what the intervals of a comparison cover, like "Intervals are for another run of 5
/// processes."; empty without any.
std::string covers_words(const LoopComparison& comparison, const LoopMeasurement& fastest);

/// What to use and by how much, in sentences, and what to use where processors are needed for other
/// work. Where nothing was measured, it says so.
std::string verdict_words(const LoopComparison& comparison);

/// "1,234,567 items checked, none lost, none wrong." of all these; with a failure, how many were
/// right in the turns before. Those of the warm-up count.
std::string checked_words(std::span<const LoopComparison* const> comparisons);

}  // namespace trilane
