// A map of regimes: which variant wins where. Plain records, the contract with the plots. Times are
// microseconds.
#pragma once

#include <boost/describe/class.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/results/results.hpp"
#include "common/sweep/map/sweep_request.hpp"

namespace trilane {

/// Changes whenever a reader of the file would have to change.
inline constexpr std::uint32_t sweep_schema_version = 1;

/// One variant in one cell.
struct CellVariant {
  std::string variant;
  double wall_us = 0, submit_us = 0;  ///< medians
  /// Its wall time over the winner's, paired by round, with the 95% interval; 1 for the winner.
  /// Of a variant that was dropped early, low and high are the smallest and the largest ratio seen.
  double over_winner = 1, low = 1, high = 1;
  std::uint32_t rounds = 0;  ///< in which it had a turn: fewer once it had clearly lost
};
BOOST_DESCRIBE_STRUCT(CellVariant, (),
                      (variant, wall_us, submit_us, over_winner, low, high, rounds))
constexpr auto entry_key(const CellVariant&) { return &CellVariant::variant; }

/// One cell: one workload under the chosen variants.
struct Cell {
  std::uint32_t column = 0, row = 0;
  /// ok: it has a winner. failed: no variant gave the right answer. not_supported: it cannot run
  /// here. not_run: not yet.
  Status status = Status::not_run;
  std::string reason;  ///< why it is not ok
  Workload workload;
  double requested_kernel_us = 0;  ///< for which the rounds were found; 0 when they were given
  std::string stopped;             ///< "decided", "time"; empty when not ok
  std::uint32_t rounds = 0, visits = 0;
  double seconds = 0;             ///< of the last visit, set-up and checks included
  double measuring_seconds = 0;   ///< of the last visit at most
  std::string winner;             ///< the fastest
  std::vector<std::string> tied;  ///< cannot be told from it, or are less than 1% slower
  std::string runner_up;          ///< the next in speed, tied or not; empty with one variant
  /// How many times as fast the winner is; the reference is absent where it has no times.
  std::optional<Ratio> over_runner_up, over_reference;
  std::vector<CellVariant> variants;  ///< those that gave the right answer
  std::vector<Property> left_out;     ///< the others, and why
};
BOOST_DESCRIBE_STRUCT(Cell, (),
                      (column, row, status, reason, workload, requested_kernel_us, stopped, rounds,
                       visits, seconds, measuring_seconds, winner, tied, runner_up, over_runner_up,
                       over_reference, variants, left_out))

/// Values of an axis, by their positions.
struct Span {
  std::size_t first = 0, last = 0;
};
BOOST_DESCRIBE_STRUCT(Span, (), (first, last))

/// How a map is cut: into bands of rows, into bands of columns, or, where chunks and their size are
/// swept, along the size of the whole pass, which is their product, in a single band.
enum class Cut { rows, columns, size };

/// Cells that one variant can be advised for.
struct Regime {
  Span span;                            ///< along the axis that the band is cut along
  std::string variant;                  ///< wins or ties in every measured cell but the exceptions
  std::vector<std::string> tied;        ///< others that do so in all of them, too
  std::vector<std::size_t> exceptions;  ///< positions in RegimeMap::cells
  std::optional<double> least_gain, most_gain;  ///< times as fast as the reference, in these cells
};
BOOST_DESCRIBE_STRUCT(Regime, (), (span, variant, tied, exceptions, least_gain, most_gain))

/// Neighbouring rows (or columns, see Cut) with the same regimes, one after the other.
struct Band {
  Span span;
  std::vector<Regime> regimes;
  std::string words;
};
BOOST_DESCRIBE_STRUCT(Band, (), (words, span, regimes))

/// The whole map.
struct RegimeMap {
  Context context;
  std::string command;   ///< the options that make it what it is
  std::string workload;  ///< "launch", "custom": what the knobs are turned of
  Axis columns, rows;
  std::vector<std::string> variants;
  std::vector<std::string> letters;  ///< one for each
  std::string reference;             ///< empty when it does not take part
  Mode mode = Mode::latency;
  std::uint64_t seed = 0;
  double seconds_allowed = 0, seconds = 0;  ///< spent: over all the runs that it took
  bool finished = false;
  std::vector<Cell> cells;  ///< row after row
  Cut bands_of = Cut::rows;
  std::vector<Band> borders;  ///< see borders.hpp

  std::size_t position(std::size_t column, std::size_t row) const {
    return row * columns.values.size() + column;
  }
};
BOOST_DESCRIBE_STRUCT(RegimeMap, (),
                      (context, command, workload, columns, rows, variants, letters, reference,
                       mode, seed, seconds_allowed, seconds, finished, cells, bands_of, borders))

/// The axis that bands are cut along: of sizes all that occur, ascending.
Axis axis_along(const RegimeMap& map, Cut cut);

/// The axis whose values the bands hold; of sizes one that stands for the whole map.
Axis axis_across(const RegimeMap& map, Cut cut);

/// Input of the whole pass in the cell, as the knobs have it; 0 unless chunks and their size are
/// swept.
double size_of(const RegimeMap& map, const Cell& cell);

/// "rows", "columns", "size".
const char* name_of(Cut cut);

/// An empty map: every cell in its place, none run.
RegimeMap empty_map(const SweepRequest& request, const std::vector<std::string>& variants);

/// A cell for each place of the map, none of them run.
std::vector<Cell> unrun_cells(const RegimeMap& map);

/// A letter for each name that tells it from the others: of its last word if it can be.
std::vector<std::string> letters_for(const std::vector<std::string>& names);

/// Whether that variant wins in the cell, or ties with the winner.
bool is_among_the_best(const Cell& cell, const std::string& variant);

/// "chunk size 64 KiB, chunks 16".
std::string place_text(const RegimeMap& map, const Cell& cell);

/// "chunk size": the knob's name in words.
std::string in_words(const std::string& knob);

}  // namespace trilane
