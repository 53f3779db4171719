// A sweep: over two knobs, a map of the winning variants; over one knob, a curve of each variant.
// The plots read these records. Times are microseconds.
#pragma once

#include "common/measure/sweep/map/axis.hpp"
#include "common/model/results/results.hpp"

namespace trilane {

/// Grows whenever readers of the file must change. Version 2 added sweeps over one knob, tiers, and
/// the intervals of wall times; version 3 added the times of each process.
inline constexpr std::uint32_t sweep_schema_version = 3;

/// Smaller differences do not count, because processes differ by more.
inline constexpr double tie_margin = 0.01;

/// Mean times of a variant in one of the processes that measured a cell.
struct ProcessTimes {
  double wall_us = 0, submit_us = 0;
};
BOOST_DESCRIBE_STRUCT(ProcessTimes, (), (wall_us, submit_us))
constexpr bool in_columns(const ProcessTimes&) { return true; }
TRILANE_RANGES(ProcessTimes, Within<&R::wall_us>{{1e-3, day_us}})

/// One variant in one cell.
struct CellVariant {
  std::string variant;
  double wall_us = 0, submit_us = 0;  ///< means
  /// The 95% interval of the wall time, see standing.hpp.
  double wall_low_us = 0, wall_high_us = 0;
  /// Wall time over the winner's, over processes, or paired by round within one process, with the
  /// 95% interval; 1 for the winner. If the variant was dropped early from a single process, low
  /// and high are the smallest and the largest ratio of a round.
  double over_winner = 1, low = 1, high = 1;
  std::uint32_t rounds = 0;               ///< in which it had a turn; fewer if it was dropped
  std::vector<ProcessTimes> processes{};  ///< one for each visit to the cell
};
BOOST_DESCRIBE_STRUCT(CellVariant, (),
                      (variant, wall_us, wall_low_us, wall_high_us, submit_us, over_winner, low,
                       high, rounds, processes))
constexpr auto entry_key(const CellVariant&) { return &CellVariant::variant; }
TRILANE_RANGES(CellVariant, Within<&R::over_winner, &R::low, &R::high>{factor_range})
inline void cross_check(const CellVariant& v) {
  if (!(v.low <= v.high)) misfit("has a low end above its high end");
  if (!(v.wall_low_us <= v.wall_high_us)) misfit("has wall_low_us above wall_high_us");
}

/// One cell: one workload under the chosen variants.
struct Cell {
  std::uint32_t column = 0, row = 0;
  /// ok: has a winner; failed: no right result; not_supported: cannot run here; not_run: not yet.
  Status status = Status::not_run;
  std::string reason;  ///< why it is not ok
  Workload workload;
  double requested_kernel_us = 0;  ///< --kernel-time; 0 if rounds were given
  std::string stopped;             ///< "decided" or "time"; empty if not ok
  std::uint32_t rounds = 0;
  std::uint32_t visits = 0;       ///< each in fresh processes
  double seconds = 0;             ///< of the last visit, with set-up and checks
  double measuring_seconds = 0;   ///< of the last visit, without them
  std::string winner;             ///< the fastest
  std::vector<std::string> tied;  ///< they tie with it, or are less than 1% slower
  std::string runner_up;          ///< the second fastest, tied or not; empty with one variant
  /// The speed-up of the winner over these; absent if they have no times.
  std::optional<Ratio> over_runner_up, over_reference;
  std::vector<Winner> winners;        ///< the fastest of each tier, and its ties
  std::vector<CellVariant> variants;  ///< those that computed the right result
  std::vector<Property> left_out;     ///< the others, with the reason
};
BOOST_DESCRIBE_STRUCT(Cell, (),
                      (column, row, status, reason, workload, requested_kernel_us, stopped, rounds,
                       visits, seconds, measuring_seconds, winner, tied, runner_up, over_runner_up,
                       over_reference, winners, variants, left_out))
TRILANE_RANGES(Cell, Within<&R::reason, &R::left_out>{text_range})

/// A range of values of an axis, by position.
struct Span {
  std::size_t first = 0, last = 0;
};
BOOST_DESCRIBE_STRUCT(Span, (), (first, last))

/// The cut of a map: into bands of rows, bands of columns, or, if chunks and chunk size are swept,
/// by their product, the size of the whole pass, in a single band.
BOOST_DEFINE_ENUM_CLASS(Cut, rows, columns, size)

/// Neighbouring cells for which one variant is advised.
struct Regime {
  Span span;                          ///< on the axis along which the band is cut
  std::string variant;                ///< wins or ties in every measured cell except the exceptions
  Tier tier = Tier::same_operations;  ///< of that variant
  /// If the variant is of another tier: the variant with the same operations that is the best of
  /// them, or ties with it, in the most cells; and whether it does in all.
  std::string kept;
  bool kept_everywhere = false;
  std::vector<std::string> tied;                ///< others that win or tie in all of them
  std::vector<std::size_t> exceptions;          ///< positions in RegimeMap::cells
  std::optional<double> least_gain, most_gain;  ///< speed over the reference in these cells
};
BOOST_DESCRIBE_STRUCT(Regime, (),
                      (span, variant, tier, tied, exceptions, kept, kept_everywhere, least_gain,
                       most_gain))
TRILANE_RANGES(Regime, Within<&R::least_gain, &R::most_gain>{factor_range})

/// Neighbouring rows (or columns, see Cut) with the same regimes.
struct Band {
  Span span;
  std::vector<Regime> regimes;
  std::string words;
};
BOOST_DESCRIBE_STRUCT(Band, (), (words, span, regimes))
TRILANE_RANGES(Band, Within<&R::words>{text_range})

/// The measure compared along a curve. It must not favour values with less work.
BOOST_DEFINE_ENUM_CLASS(Merit,
                        time,           ///< the wall time: every value has the same work
                        time_per_byte,  ///< wall time over the input of the pass, which differs
                        none)           ///< nothing: the knob changes the work itself

/// Returns "wall time", "wall time per byte of input", "none".
constexpr const char* name_of(Merit merit) {
  switch (merit) {
    case Merit::time: return "wall time";
    case Merit::time_per_byte: return "wall time per byte of input";
    case Merit::none: return "none";
  }
  return "";
}

/// The best value of a variant, by the merit. Values are positions on the axis.
struct Optimum {
  std::size_t best = 0;
  Span within;          ///< neighbours that take at most 2% longer, intervals included
  Span perhaps;         ///< neighbours that are not shown to take longer than that
  std::string further;  ///< "chunks=64..512", to sweep next if the best value is an end; else empty
};
BOOST_DESCRIBE_STRUCT(Optimum, (), (best, within, perhaps, further))

/// The results of a sweep over one knob for one variant.
struct Curve {
  std::string variant;
  std::optional<Optimum> optimum;  ///< absent without a merit or times
  std::string words;
};
BOOST_DESCRIBE_STRUCT(Curve, (), (variant, optimum, words))
constexpr auto entry_key(const Curve&) { return &Curve::variant; }
TRILANE_RANGES(Curve, Within<&R::words>{text_range})

/// The whole sweep.
struct RegimeMap {
  Context context;
  std::string command;   ///< the options that define it
  std::string workload;  ///< "launch", "custom": the workload that the knobs modify
  Axis columns;
  std::optional<Axis> rows;  ///< absent from a sweep over one knob, which has one row of cells
  std::vector<std::string> variants;
  std::vector<Tier> tiers;           ///< one for each
  std::vector<std::string> letters;  ///< one for each
  std::string reference;             ///< empty if it does not take part
  Mode mode = Mode::latency;
  std::uint64_t seed = 0;
  std::uint32_t processes = 1;              ///< visits that every cell should have
  double seconds_allowed = 0, seconds = 0;  ///< `seconds` is the time spent in all runs
  bool finished = false;
  std::vector<Cell> cells;  ///< row after row
  Cut bands_of = Cut::rows;
  std::vector<Band> borders;          ///< see regimes.hpp
  Merit merit = Merit::none;          ///< this and what follows: over one knob; see regimes.hpp
  std::vector<Curve> curves;          ///< one for each variant
  std::vector<std::string> findings;  ///< over all variants, in sentences

  std::size_t position(std::size_t column, std::size_t row) const {
    return row * columns.values.size() + column;
  }
};
BOOST_DESCRIBE_STRUCT(RegimeMap, (),
                      (context, command, workload, columns, rows, variants, tiers, letters,
                       reference, mode, seed, processes, seconds_allowed, seconds, finished, cells,
                       bands_of, borders, merit, curves, findings))
TRILANE_RANGES(RegimeMap, Within<&R::command, &R::findings>{text_range},
               Within<&R::processes>{{1, 1000}}, Within<&R::seconds_allowed>{{0, 1e9}})
/// Throws a Misfit unless:
/// - each variant and each cell occurs once,
/// - winners, ties and the reference are among the variants.
void cross_check(const RegimeMap& map);

/// Returns the axis along which bands are cut; for Cut::size all sizes that occur.
Axis axis_along(const RegimeMap& map, Cut cut);

/// Returns the axis across the bands; a single value for Cut::size and for a sweep over one knob.
Axis axis_across(const RegimeMap& map, Cut cut);

/// Returns the input size of a pass in the cell; 0 unless chunks and chunk size are swept.
double size_of(const RegimeMap& map, const Cell& cell);

/// Returns a sweep whose cells have not run. `tiers` has one entry for each variant.
RegimeMap empty_map(const SweepRequest& request, const std::vector<std::string>& variants,
                    const std::vector<Tier>& tiers);

/// Returns all cells of the map, none of which has run.
std::vector<Cell> unrun_cells(const RegimeMap& map);

/// Returns a unique letter for each name, from its last word if possible.
std::vector<std::string> letters_for(const std::vector<std::string>& names);

/// Returns the variant's times in the cell; nullptr if it has none there.
const CellVariant* find_variant(const Cell& cell, const std::string& variant);

/// Returns the tier of one of the sweep's variants.
Tier tier_of(const RegimeMap& map, const std::string& variant);

/// Returns what the cell's intervals cover.
inline Covers covers_of(const Cell& cell) {
  return cell.visits > 1 ? Covers::processes : Covers::rounds;
}

/// Returns true if the variant wins in the cell or ties with the winner.
bool is_among_the_best(const Cell& cell, const std::string& variant);

/// Returns "cell", or "value" for a sweep over one knob.
std::string noun_of(const RegimeMap& map);

/// Returns "chunk size 64 KiB, chunks 16"; with one knob "chunks 16".
std::string place_text(const RegimeMap& map, const Cell& cell);

/// Returns the knob's name in words: "chunk size".
std::string in_words(const std::string& knob);

}  // namespace trilane
