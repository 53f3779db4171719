// Lays a diagnosis out as a page, its answers first.
#pragma once

#include "common/application/iteration/diagnosis.hpp"
#include "common/base/text/page.hpp"

namespace trilane {

/// Returns the answer first, then causes, the critical path, findings, races, what varies, what
/// cannot be replayed, and what limits these statements.
Page diagnosis_page(const Diagnosis& diagnosis);

/// Returns how long an iteration takes, or why none was found and what to do.
std::string iteration_words(const Diagnosis& diagnosis);

/// Returns which calls a graph could replace, and what it leaves. The places of calls, here and
/// below, have at most `place_width` characters.
std::string graph_words(const Diagnosis& diagnosis, std::size_t place_width = std::string::npos);

/// Returns "24 calls of thread 2, from call 0 to call 26".
std::string calls_of(const GraphBound& graph, std::size_t place_width = std::string::npos);

/// Returns "idle 76% of 107 us: ", without the colon if no cause is known; needs device times.
std::string idle_share(const Diagnosis& diagnosis);

/// Returns "launch latency 28.9 us" for each use of at least 1% of the time.
std::vector<std::string> times_of(const std::vector<TimeShare>& shares);

/// Returns the application and its GPU.
std::string title_of(const Diagnosis& diagnosis);

/// Returns a row for each call: its number, its place if that is known, what it does, its stream,
/// and when it and its operation begin and how long they take.
Page calls_page(const ApplicationRecording& recording);

/// Returns a sentence for each race, or for the first `most`.
Page races_page(const Diagnosis& diagnosis, std::size_t most = SIZE_MAX);

/// Returns the model's error for the recorded calls, a row for each way, and what limits it.
Page simulated_page(const SimulatedTimes& times);

}  // namespace trilane
