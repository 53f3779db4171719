// What a variant costs besides its passes, and when that has paid. Times are microseconds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace trilane {

/// A name and a list of figures, one for each repetition.
struct Series {
  std::string name;
  std::vector<double> values;
};

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

/// Whether, and when, a variant has made up for its set-up against the reference.
enum class Pays {
  at_once,   ///< it is never behind
  later,     ///< after `passes`
  at_first,  ///< ahead only up to `passes`: set up sooner, but slower
  never,     ///< set up later, and not faster
};

/// The pass count at which real sequences crossed: set up, then pass after pass.
struct Crossing {
  std::uint32_t sequences = 0;  ///< of each of the two
  std::uint32_t run = 0;        ///< passes in each
  /// With a 95% interval over the sequences; absent: not within the passes that were run.
  std::optional<double> passes{}, low{}, high{};
};

/// The pass count at which the cumulated times of variant and reference are the same (see
/// break_even.hpp), with a 95% interval. Absent figures are without end: never, or, of `at_first`,
/// ahead for ever.
struct BreakEven {
  Pays pays = Pays::never;
  std::optional<double> passes{}, low{}, high{};
  std::optional<Crossing> crossing{};  ///< with --prove-break-even
};

}  // namespace trilane
