// The names of a loop's contenders and its verdict in words.
#pragma once

#include <span>
#include <string>

#include "common/measure/loop/results/loop_verdict.hpp"

namespace trilane {

/// Returns "event_polled + graph".
std::string contender_name(const LoopMeasurement& m);

/// Returns "0.87 [0.85, 0.88]", "same", or "unclear" after too few rounds: a contender's items per
/// second over those of the fastest.
std::string share_cell(const LoopMeasurement& m, const LoopMeasurement& fastest);

/// Returns what the intervals of a comparison cover, like "Intervals are for another run of 5
/// processes."; empty without any.
std::string covers_words(const LoopComparison& comparison, const LoopMeasurement& fastest);

/// Returns sentences that say what to use, by how much it is better, and what to use if other work
/// needs the processors. Without measurements, they say so.
std::string verdict_words(const LoopComparison& comparison);

/// Returns "1,234,567 items checked, none lost, none wrong." for all comparisons. After a failure,
/// returns how many were right in the turns before. The warm-up counts.
std::string checked_words(std::span<const LoopComparison* const> comparisons);

}  // namespace trilane
