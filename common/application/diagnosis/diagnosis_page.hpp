// Lays out a diagnosis and a replay as pages, their answers first, and both on one screen.
#pragma once

#include "common/application/iteration/diagnosis.hpp"
#include "common/application/iteration/recording_file.hpp"
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

/// Returns a row for each place where captures begin, and what is said of captures that were tried;
/// empty without any.
Page captures_page(const Diagnosis& diagnosis);

/// Returns sentences for each obstacle: the call to change, the reason, and the remedy.
std::vector<std::string> capture_words(const std::vector<CaptureObstacle>& obstacles);

/// Returns two rows for each place where executable graphs are instantiated, and what is wrong with
/// them; empty without any.
Page graph_costs_page(const Diagnosis& diagnosis);

/// Returns sentences on executable graphs that pile up, or are launched once or never.
std::vector<std::string> graph_cost_words(const Diagnosis& diagnosis);
/// Returns sentences for each pool that grows, holds too much, or releases what it takes again.
std::vector<std::string> pool_words(const Diagnosis& diagnosis);
/// Returns what the largest pool holds; empty without a pool, or if those sentences tell of one.
std::string pools_line(const Diagnosis& diagnosis);

/// Returns a row for each pool, one for each cause and place of growth, and those sentences; empty
/// without a pool.
Page pools_page(const Diagnosis& diagnosis);

/// Returns the choice among the candidates as a sentence, behind what it holds for.
/// `record.comparison` must be there. `device_us`: see choose_candidate().
std::string answer_words(const ReplayRecord& record, std::optional<double> device_us = {});

/// Returns why nothing was replayed or is claimed, with a kernel's name of at most `kernel_width`.
std::string refusal_words(const ReplayRecord& record, std::size_t kernel_width = std::string::npos);

/// Returns what weakens the answer, as sentences.
std::vector<std::string> reservations_on(const ReplayRecord& record);

/// Returns the best change and its gain, a row for each candidate, what bounds or weakens the
/// answer, and what a capture of the iteration breaks on. `record.comparison` needs derive().
Page replay_page(const ReplayRecord& record, const std::vector<CaptureObstacle>& obstacles = {},
                 std::optional<double> device_us = {});

/// The most lines of a screen as text. `trilane record` prints up to two lines before it.
inline constexpr std::size_t most_screen_lines = 23;

/// Returns the answer, where the time goes, up to five findings, the limits of these statements,
/// and `more`, the commands that show the rest. `replay`: needs derive(); null if nothing was
/// replayed.
/// - Certain races, launches that nothing orders, failed captures, and graphs and pools that waste
///   come first, and last what captures left out or allocate; between them findings by possible
///   gain.
/// - What else a capture would break on counts if the answer is a graph, or nothing was measured.
Page one_screen(const Diagnosis& diagnosis, const ReplayRecord* replay, const std::string& more);

/// Returns "At most 80.0 us: ...: cudaMemcpyAsync 4 times (call 2).", or that it is unknown.
std::string sentence_on(const CallFinding& finding);

/// Returns what is wrong with the launches, and the first of them.
std::string sentence_on(const EarlyLaunches& launches);

/// Returns "Certain: copy at call 12 on stream 2 writes bytes 0..4095 of memory 3 while ..."
std::string sentence_on(const RecordedRace& race);

}  // namespace trilane
