// The costs of a variant besides its passes, and its break-even. Times are microseconds.
#pragma once

#include "common/base/json/misfit.hpp"
#include "common/base/json/ranges.hpp"
#include "common/base/text/enumerators.hpp"
#include "common/model/results/merging.hpp"

namespace trilane {

/// The coverage of the range from `low` to `high` around an estimate.
BOOST_DEFINE_ENUM_CLASS(
    Covers,
    rounds,       ///< a 95% interval over the rounds of one process
    processes,    ///< a 95% interval for another run of as many processes
    model_error,  ///< the error of predictions in 95% of cases
    nothing)      ///< no range: the estimate is exact, as for two predictions by one model
/// Returns "rounds", "processes", "model's error", "nothing".
constexpr const char* name_of(Covers covers) {
  return covers == Covers::model_error ? "model's error" : words_of_name(covers);
}

/// A name and one value per repetition.
struct Series {
  std::string name;
  std::vector<double> values;
};
BOOST_DESCRIBE_STRUCT(Series, (), (name, values))
constexpr auto entry_key(const Series&) { return &Series::name; }
TRILANE_RANGES(Series, Within<&R::values>{either_way_us})  // "other" is a difference

/// Raw times of repeated set-ups, each alone on the device and followed by a few passes and the
/// tear-down. Entry i of every list belongs to the i-th set-up.
struct Price {
  std::vector<double> setup_us;                ///< construction
  std::vector<Series> phases;                  ///< its parts, the last one "other"
  std::vector<std::vector<double>> passes_us;  ///< wall time of the first pass, of the second, ...
  /// Extra time for pool allocations in the first pass over the last; empty without a pool.
  std::vector<double> priming_us;
  std::vector<double> teardown_us;
  /// Free device memory before the set-up minus that after the passes. It includes changes by other
  /// processes. It misses allocations that fit into memory already held by the driver.
  std::vector<std::uint64_t> device_bytes;
  /// From the runtime after the passes; absent if the variant has no such memory.
  std::optional<std::uint64_t> pool_used_high_bytes, pool_reserved_high_bytes, graph_reserved_bytes;
};
BOOST_DESCRIBE_STRUCT(Price, (),
                      (setup_us, phases, passes_us, priming_us, teardown_us, device_bytes,
                       pool_used_high_bytes, pool_reserved_high_bytes, graph_reserved_bytes))
TRILANE_RANGES(Price, Within<&R::priming_us>{either_way_us})
TRILANE_MERGE_RULES(
    Price, Rule<joined, &R::setup_us, &R::priming_us, &R::teardown_us, &R::device_bytes>(),
    Rule<own, &R::phases, &R::passes_us>(),
    Rule<first, &R::pool_used_high_bytes, &R::pool_reserved_high_bytes, &R::graph_reserved_bytes>())

/// The time at which a variant recovers its extra set-up time against the reference.
BOOST_DEFINE_ENUM_CLASS(Pays,
                        at_once,   ///< never behind
                        later,     ///< after `passes`
                        at_first,  ///< ahead only up to `passes`: faster to set up, but slower
                        never)     ///< slower to set up, and not faster

/// The break-even measured in real sequences: set-up, then pass after pass.
struct Crossing {
  std::uint32_t sequences = 0;  ///< of the variant, and equally many of the reference
  std::uint32_t run = 0;        ///< passes in each
  /// With a 95% interval over the sequences; absent if not reached within `run`.
  std::optional<double> passes{}, low{}, high{};
};
BOOST_DESCRIBE_STRUCT(Crossing, (), (sequences, run, passes, low, high))
TRILANE_RANGES(Crossing, Within<&R::passes, &R::low, &R::high>{factor_range})

/// The number of passes after which variant and reference have taken equally long, set-up included
/// (break_even.hpp), with its range. Absent means never; for `at_first`, that it stays ahead.
struct BreakEven {
  Pays pays = Pays::never;
  std::optional<double> passes{}, low{}, high{};
  std::optional<Crossing> crossing{};  ///< with --prove-break-even
  Covers covers = Covers::rounds;
};
BOOST_DESCRIBE_STRUCT(BreakEven, (), (pays, passes, low, high, covers, crossing))
TRILANE_RANGES(BreakEven, Within<&R::passes, &R::low, &R::high>{factor_range})

}  // namespace trilane
