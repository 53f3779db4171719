// What a variant costs besides its passes, and when that has paid. Times are microseconds.
#pragma once

#include <boost/describe/class.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/results/merging.hpp"

namespace trilane {

/// A name and a list of figures, one for each repetition.
struct Series {
  std::string name;
  std::vector<double> values;
};
BOOST_DESCRIBE_STRUCT(Series, (), (name, values))
constexpr auto entry_key(const Series&) { return &Series::name; }

/// What a variant costs besides its passes. It was set up several times while no other variant was,
/// with a few passes and a tear-down each time: entry i of every list is of the i-th time. Times
/// are microseconds, raw; report.hpp says how they are summed up.
struct Price {
  std::vector<double> setup_us;                ///< construction
  std::vector<Series> phases;                  ///< its parts, the last "other"
  std::vector<std::vector<double>> passes_us;  ///< wall time of the first pass, of the second, ...
  /// Of the first pass, what allocating from a pool took more than in the last: empty without one.
  std::vector<double> priming_us;
  std::vector<double> teardown_us;
  /// What the device had less free after these passes than before the set-up. Whatever another
  /// process took or gave back meanwhile is in it; and what fits into memory that the driver holds
  /// already, which it takes in steps, is not.
  std::vector<std::uint64_t> device_bytes;
  /// As the runtime reports them after the passes; absent where the variant has none of that.
  std::optional<std::uint64_t> pool_used_high_bytes, pool_reserved_high_bytes, graph_reserved_bytes;
};
BOOST_DESCRIBE_STRUCT(Price, (),
                      (setup_us, phases, passes_us, priming_us, teardown_us, device_bytes,
                       pool_used_high_bytes, pool_reserved_high_bytes, graph_reserved_bytes))

/// How those of several processes become one, see merging.hpp.
constexpr auto merge_rules(const Price*) {
  using merging::first, merging::joined, merging::own;
  using R = Price;
  return std::tuple{
      joined<&R::setup_us, &R::priming_us, &R::teardown_us, &R::device_bytes>,
      own<&R::phases, &R::passes_us>,
      first<&R::pool_used_high_bytes, &R::pool_reserved_high_bytes, &R::graph_reserved_bytes>};
}

/// Whether, and when, a variant has made up for its set-up against the reference.
enum class Pays {
  at_once,   ///< it is never behind
  later,     ///< after `passes`
  at_first,  ///< ahead only up to `passes`: set up sooner, but slower
  never,     ///< set up later, and not faster
};

/// "at once", "later", "at first", "never".
constexpr const char* name_of(Pays pays) {
  switch (pays) {
    case Pays::at_once: return "at once";
    case Pays::later: return "later";
    case Pays::at_first: return "at first";
    case Pays::never: return "never";
  }
  return "";
}

/// The pass count at which real sequences crossed: set up, then pass after pass.
struct Crossing {
  std::uint32_t sequences = 0;  ///< of each of the two
  std::uint32_t run = 0;        ///< passes in each
  /// With a 95% interval over the sequences; absent: not within the passes that were run.
  std::optional<double> passes{}, low{}, high{};
};
BOOST_DESCRIBE_STRUCT(Crossing, (), (sequences, run, passes, low, high))

/// The pass count at which the cumulated times of variant and reference are the same (see
/// break_even.hpp), with a 95% interval. Absent figures are without end: never, or, of `at_first`,
/// ahead for ever.
struct BreakEven {
  Pays pays = Pays::never;
  std::optional<double> passes{}, low{}, high{};
  std::optional<Crossing> crossing{};  ///< with --prove-break-even
};
BOOST_DESCRIBE_STRUCT(BreakEven, (), (pays, passes, low, high, crossing))

}  // namespace trilane
