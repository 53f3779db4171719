// What a variant costs besides its passes, and its break-even. Times are microseconds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace trilane {

/// A name and one value per repetition.
struct Series {
  std::string name;
  std::vector<double> values;
};

/// Raw times of repeated set-ups, each alone on the device and followed by a few passes and the
/// tear-down. Entry i of every list belongs to the i-th set-up.
struct Price {
  std::vector<double> setup_us;                ///< construction
  std::vector<Series> phases;                  ///< its parts, the last "other"
  std::vector<std::vector<double>> passes_us;  ///< wall time of the first pass, of the second, ...
  /// How much longer allocating from a pool took in the first pass than in the last; empty without.
  std::vector<double> priming_us;
  std::vector<double> teardown_us;
  /// Free device memory before the set-up minus that after the passes. It includes what other
  /// processes took or returned meanwhile; it misses allocations that fit into memory the driver
  /// holds already.
  std::vector<std::uint64_t> device_bytes;
  /// As the runtime reports them after the passes; absent if the variant has no such memory.
  std::optional<std::uint64_t> pool_used_high_bytes, pool_reserved_high_bytes, graph_reserved_bytes;
};

/// Whether a variant recovers its extra set-up time against the reference.
enum class Pays {
  at_once,   ///< never behind
  later,     ///< after `passes`
  at_first,  ///< ahead only up to `passes`: quicker to set up, but slower
  never,     ///< longer to set up, and not faster
};

/// The break-even of real sequences: set-up, then pass after pass.
struct Crossing {
  std::uint32_t sequences = 0;  ///< of the variant, and of the reference
  std::uint32_t run = 0;        ///< passes in each
  /// With a 95% interval over the sequences; absent if not reached within `run`.
  std::optional<double> passes{}, low{}, high{};
};

/// The number of passes after which variant and reference have taken equally long, set-up included
/// (break_even.hpp), with a 95% interval. An absent value means never; for `at_first`, always
/// ahead.
struct BreakEven {
  Pays pays = Pays::never;
  std::optional<double> passes{}, low{}, high{};
  std::optional<Crossing> crossing{};  ///< with --prove-break-even
};

}  // namespace trilane
